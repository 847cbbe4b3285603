// Draws a plot of bars as SVG: one group of bars per situation, one bar per product.
import { createScale } from './createScale.mjs'
import { escapeMarkup } from './escapeMarkup.mjs'
import { formatNumber, formatValue } from './figures.mjs'

/** @typedef {import('./figures.mjs').Figure} Figure */
/** @typedef {Figure & { bar: import('./figures.mjs').Bar }} BarFigure */

const width = 640
const [barHeight, gap, groupHead] = [20, 4, 26]
const area = { left: 8, right: width - 200, top: 4 }

/**
 * @param {string} title
 * @param {readonly BarFigure[]} figures of one unit
 * @returns {string} an HTML figure
 */
export function drawBars(title, figures) {
  const names = [...new Set(figures.map(({ bar }) => bar.name))]
  const groups = [...new Set(figures.map(({ bar }) => bar.group))]
  const unit = figures[0]?.unit ?? ''
  const limits = figures.flatMap(({ budget }) => (budget === undefined ? [] : [budget]))
  const values = figures.map(({ value }) => value).filter(Number.isFinite)
  const x = createScale([...values, ...limits], { start: area.left, end: area.right })
  /** @type {string[]} */
  const parts = []
  let top = area.top
  for (const group of groups) {
    parts.push(`<text class="group" x="${area.left}" y="${top + 17}">${escapeMarkup(group)}</text>`)
    top += groupHead
    for (const figure of figures.filter(({ bar }) => bar.group === group)) {
      parts.push(drawBar(figure, names.indexOf(figure.bar.name), { x, top }))
      top += barHeight + gap
    }
    top += 8
  }
  const grid = x.ticks.map((tick) => {
    const at = x.position(tick).toFixed(1)
    return `<path class="grid" d="M${at} ${area.top}V${top}"/><text class="tick" x="${at}" y="${top + 16}" text-anchor="middle">${formatNumber(tick)}</text>`
  })
  return `<figure class="plot"><figcaption>${escapeMarkup(title)}</figcaption>
<svg viewBox="0 0 ${width} ${top + 46}" role="img" aria-label="${escapeMarkup(describeBars(title, figures))}">
${grid.join('\n')}
${parts.join('\n')}
<text class="axis" x="${(area.left + area.right) / 2}" y="${top + 38}" text-anchor="middle">${escapeMarkup(unit)}</text>
</svg>${limits.length === 0 ? '' : '<p class="run">The dashed lines are limits.</p>'}</figure>`
}

/**
 * @param {BarFigure} figure
 * @param {number} index of the product
 * @param {{ x: import('./createScale.mjs').Scale, top: number }} place
 */
function drawBar(figure, index, { x, top }) {
  const { value, budget, bar } = figure
  const end = Number.isFinite(value) ? x.position(value) : area.left
  const limit =
    budget === undefined
      ? ''
      : drawLimit(`M${x.position(budget).toFixed(1)} ${top - 2}v${barHeight + 4}`, formatNumber(budget))
  const label = `${bar.name} · ${formatValue(figure)}`
  return `<rect class="bar series-${index % 6}" x="${area.left}" y="${top}" width="${Math.max(1, end - area.left).toFixed(1)}" height="${barHeight}" rx="2"/>${limit}
<text class="bar-label" x="${(end + 6).toFixed(1)}" y="${top + 15}">${escapeMarkup(label)}</text>`
}

/** @param {string} path @param {string} text */
function drawLimit(path, text) {
  return `<path class="limit-halo" d="${path}"/><path class="limit" d="${path}"><title>limit ${text}</title></path>`
}

/** @param {string} title @param {readonly BarFigure[]} figures */
function describeBars(title, figures) {
  return `${title}. ${figures.map((figure) => `${figure.bar.group}, ${figure.bar.name}: ${formatValue(figure)}`).join('; ')}.`
}
