"""A run directory of kernelclaw-opt --llm-optimize as one offline HTML file.

values    JSON from files that may be damaged, and typed looks into it
texts     what is shown as text: redacted, cut to a bound, each once
events    events.jsonl as costs and verdicts
attempt   one attempt's folder
region    one region's folder
run       the whole run directory
figures   plotly figures as plain dictionaries
page      the HTML file, from template/
main      the command line
"""
