#!/bin/sh
# Stands in for compute-sanitizer: FAKE_FINDING names the tool that reports one,
# FAKE_SILENT the one that gives no summary. Answers the job that it is given.
while [ $# -gt 0 ]; do
  case $1 in
  --tool) tool=$2 ;;
  --log-file) log=$2 ;;
  esac
  shift
done
read -r job
case $job in *'"kind":"run-once"'*) ;; *) exit 3 ;; esac
echo "# ready"
echo '{"jobId":"a","outcome":"ok","evidence":"none"}'
[ "$tool" = "$FAKE_SILENT" ] && exit 1
echo "========= COMPUTE-SANITIZER" > "$log"
if [ "$tool" = "$FAKE_FINDING" ]; then
  echo "========= Error: Race reported between Write access at k in m.cu:4" >> "$log"
  echo "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)" >> "$log"
  exit 99
fi
echo "========= ERROR SUMMARY: 0 errors" >> "$log"
