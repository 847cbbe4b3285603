// Writes the results of `npm run bench` as one HTML page without scripts and without requests.
import { drawBars } from './drawBars.mjs'
import { drawLines } from './drawLines.mjs'
import { escapeMarkup } from './escapeMarkup.mjs'
import { formatLimit, formatValue, isMet } from './figures.mjs'
import { reportStyle } from './reportStyle.mjs'

/** @typedef {import('./mergeResults.mjs').Measured} Measured */
/** @typedef {import('./mergeResults.mjs').Results} Results */

/**
 * Creates the page: a summary with every missed limit, and a section per area with its plots and its table.
 *
 * @param {Results} results
 * @returns {string} HTML
 */
export function createReport({ results }) {
  const areas = Object.entries(results).filter(([, figures]) => figures.length > 0)
  const links = areas.map(([area]) => `<a href="#${escapeMarkup(area)}">${escapeMarkup(area)}</a>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Latchkey: measurements</title>
<style>${reportStyle}</style>
</head>
<body>
<header>
<h1>Measurements</h1>
<p>Written by <code>npm run bench</code>. An area that did not run the last time has its earlier figures; each section states when they were measured.</p>
<nav aria-label="Areas">${links.join('')}</nav>
</header>
<main>
${summarize(areas)}
${areas.map(([area, figures]) => createSection(area, figures)).join('\n')}
</main>
</body>
</html>
`
}

/** @param {readonly (readonly [string, readonly Measured[]])[]} areas */
function summarize(areas) {
  const judged = areas.flatMap(([, figures]) => figures).filter((figure) => formatLimit(figure) !== '')
  const missed = areas.flatMap(([area, figures]) =>
    figures
      .filter((figure) => !isMet(figure))
      .map(
        (figure) =>
          `<li><a href="#${escapeMarkup(area)}">${escapeMarkup(area)}</a>: ${escapeMarkup(figure.name)}, ${escapeMarkup(formatValue(figure))} (limit ${escapeMarkup(formatLimit(figure))})</li>`,
      ),
  )
  const sentence =
    missed.length === 0
      ? `All ${judged.length} limits are met.`
      : `${missed.length} of ${judged.length} limits are missed.`
  const list = missed.length === 0 ? '' : `<ul>${missed.join('')}</ul>`
  return `<section class="summary ${missed.length === 0 ? 'met' : 'missed'}" aria-labelledby="summary"><h2 id="summary">${sentence}</h2>${list}</section>`
}

/** @param {string} area @param {readonly Measured[]} figures */
function createSection(area, figures) {
  const id = escapeMarkup(area)
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${id}</h2>
${listRuns(figures)}
<div class="plots">${[...drawAllLines(figures), ...drawAllBars(figures)].join('\n')}</div>
${createTable(figures)}
</section>`
}

/** States when and on which machines the figures were measured. @param {readonly Measured[]} figures */
function listRuns(figures) {
  const runs = new Map(figures.map(({ measuredAt, machine }) => [measuredAt, machine]))
  const items = [...runs].map(([measuredAt, { cores, model = 'unknown processor', node }]) => {
    const count = figures.filter((figure) => figure.measuredAt === measuredAt).length
    const time = `<time datetime="${escapeMarkup(measuredAt)}">${escapeMarkup(measuredAt.slice(0, 16).replace('T', ' '))} UTC</time>`
    return `<p class="run">${count} figures of ${time}: ${cores} cores, ${escapeMarkup(model)}, Node.js ${escapeMarkup(node)}</p>`
  })
  return items.join('')
}

/** @param {readonly Measured[]} figures */
function drawAllLines(figures) {
  const lines = figures.flatMap(({ lines = [] }) => lines)
  return listTitles(lines).map((title) =>
    drawLines(
      title,
      lines.filter(({ plot }) => plot === title),
    ),
  )
}

/** @param {readonly Measured[]} figures */
function drawAllBars(figures) {
  const bars = figures.flatMap((figure) => (figure.bar === undefined ? [] : [{ ...figure, bar: figure.bar }]))
  return listTitles(bars.map(({ bar }) => bar)).map((title) =>
    drawBars(
      title,
      bars.filter(({ bar }) => bar.plot === title),
    ),
  )
}

/** @param {readonly { plot: string }[]} parts */
function listTitles(parts) {
  return [...new Set(parts.map(({ plot }) => plot))]
}

/** @param {readonly Measured[]} figures */
function createTable(figures) {
  const rows = figures.map((figure) => {
    const limit = formatLimit(figure)
    const status = limit === '' ? '' : isMet(figure) ? 'met' : 'MISSED'
    const cells = [
      `<th scope="row">${escapeMarkup(figure.name)}</th>`,
      `<td class="number">${escapeMarkup(formatValue(figure))}</td>`,
      `<td class="number">${escapeMarkup(limit)}</td>`,
      `<td>${status === '' ? '' : `<span class="status ${status.toLowerCase()}">${status}</span>`}</td>`,
      `<td class="note">${escapeMarkup(figure.note ?? '')}</td>`,
    ]
    return `<tr>${cells.join('')}</tr>`
  })
  const heads = ['figure', 'value', 'limit', 'status', 'note'].map(
    (head) => `<th scope="col"${head === 'value' || head === 'limit' ? ' class="number"' : ''}>${head}</th>`,
  )
  return `<div class="scroll"><table><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`
}
