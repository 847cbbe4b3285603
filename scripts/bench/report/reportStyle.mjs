// The style sheet of the report. The colours of the lines follow Okabe and Ito, which colour-blind people can distinguish.
export const reportStyle = `
:root { color-scheme: light dark;
  --page: light-dark(#ffffff, #14161a); --panel: light-dark(#f6f7f9, #1c1f25); --text: light-dark(#1b1f24, #e6e8eb);
  --muted: light-dark(#57606a, #9aa4b1); --line: light-dark(#d8dee4, #343a44); --accent: light-dark(#0b5cad, #7ab8ff);
  --good: light-dark(#1a7f37, #57c777); --bad: light-dark(#b3261e, #ff8a80); }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 88rem; padding: 2rem clamp(1rem, 4vw, 3rem) 4rem; background: var(--page); color: var(--text);
  font: 0.9375rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.75rem; margin: 0 } h2 { font-size: 1.25rem; margin: 0 0 0.5rem }
p { margin: 0.25rem 0 } code { font-family: ui-monospace, monospace; font-size: 0.9em } a { color: var(--accent) }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0.75rem 0 1.5rem }
section { margin-block: 0 3rem; scroll-margin-top: 1rem }
.summary { border: 1px solid var(--line); border-inline-start: 4px solid var(--good); border-radius: 6px; padding: 1rem 1.25rem; background: var(--panel) }
.summary.missed { border-inline-start-color: var(--bad) } .summary ul { margin: 0; padding-inline-start: 1.25rem }
.run, .note { color: var(--muted); font-size: 0.8125rem }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 1.25rem; margin-block: 1rem }
.plot { margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); max-width: 48rem }
.plot:empty { display: none } figcaption { font-weight: 600; margin-bottom: 0.5rem } .plot > svg { display: block; width: 100%; height: auto }
.grid { stroke: var(--line); stroke-width: 1 } .tick, .axis, .limit-label { font-size: 12px; fill: var(--muted) }
.axis { fill: var(--text) } .group { font-size: 13px; font-weight: 600; fill: var(--text) } .bar-label { font-size: 12px; fill: var(--text) }
.limit { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 6 4; fill: none } .limit-label { fill: var(--bad); paint-order: stroke; stroke: var(--panel); stroke-width: 4px } .limit-halo { stroke: var(--panel); stroke-width: 4; fill: none }
.line path { fill: none; stroke: var(--ink); stroke-width: 2; stroke-linejoin: round } .line circle { fill: var(--panel); stroke: var(--ink); stroke-width: 2 }
.bar { fill: var(--ink) }
.series-0 { --ink: light-dark(#0072b2, #56b4e9) } .series-1 { --ink: light-dark(#b35300, #e69f00) } .series-2 { --ink: light-dark(#00785a, #2fc596) }
.series-3 { --ink: light-dark(#a04578, #e29bc3) } .series-4 { --ink: light-dark(#57606a, #b6bec8) } .series-5 { --ink: light-dark(#7a6a00, #f0e442) }
.series-1 path { stroke-dasharray: 8 3 } .series-2 path { stroke-dasharray: 2 3 } .series-3 path { stroke-dasharray: 10 3 2 3 } .series-4 path { stroke-dasharray: 5 5 }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; list-style: none; margin: 0.5rem 0 0; padding: 0; font-size: 0.8125rem }
.legend li { display: flex; align-items: center; gap: 0.4rem }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: 0.875rem }
th, td { text-align: start; padding: 0.35rem 0.75rem; border-bottom: 1px solid var(--line); vertical-align: top } thead th { color: var(--muted); font-weight: 600 }
tbody th { font-weight: 400; min-width: 18rem } .number { text-align: end !important; white-space: nowrap; font-variant-numeric: tabular-nums }
.status { font-weight: 600 } .status.met { color: var(--good) } .status.missed { color: var(--page); background: var(--bad); border-radius: 4px; padding: 0.05rem 0.4rem }
`
