"""Entry point: python tools/kernelclaw-report RUN -o report.html"""
import sys

from kernelclaw_report.main import main

sys.exit(main())
