// Draws a plot of lines as SVG. Colours are in the style sheet of the report; dashes and marks distinguish the lines without them.
import { createScale } from './createScale.mjs'
import { escapeMarkup } from './escapeMarkup.mjs'
import { formatNumber } from './figures.mjs'

/** @typedef {import('./figures.mjs').Line} Line */
/** @typedef {import('./createScale.mjs').Scale} Scale */

const [width, height] = [640, 340]
const area = { left: 66, right: width - 28, top: 16, bottom: height - 52 }
const markSize = 3.5

/**
 * @param {string} title
 * @param {readonly Line[]} lines
 * @returns {string} an HTML figure with the plot and its legend
 */
export function drawLines(title, lines) {
  const drawable = lines.map((line) => ({
    ...line,
    points: line.points.filter((point) => point.every(Number.isFinite)),
  }))
  const [first] = drawable
  const points = drawable.flatMap(({ points }) => points)
  if (first === undefined || points.length === 0) return ''
  const { x: xAxis, y: yAxis } = first
  const limits = (/** @type {number | undefined} */ limit) => (limit === undefined ? [] : [limit])
  const x = createScale([...points.map(([value]) => value), ...limits(xAxis.limit)], {
    kind: xAxis.scale,
    start: area.left,
    end: area.right,
  })
  const y = createScale([...points.map(([, value]) => value), ...limits(yAxis.limit)], {
    kind: yAxis.scale,
    start: area.bottom,
    end: area.top,
  })
  return `<figure class="plot"><figcaption>${escapeMarkup(title)}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeMarkup(describeLines(title, drawable))}">
${drawGrid(x, y)}
${drawLimits(x, y, xAxis.limit, yAxis.limit)}
${drawable.map((line, index) => drawLine(line, index, x, y)).join('\n')}
<text class="axis" x="${(area.left + area.right) / 2}" y="${height - 10}" text-anchor="middle">${formatAxis(xAxis)}</text>
<text class="axis" transform="rotate(-90)" x="${-(area.top + area.bottom) / 2}" y="15" text-anchor="middle">${formatAxis(yAxis)}</text>
</svg>
${drawLegend(drawable.map(({ name }) => name))}</figure>`
}

/** @param {Scale} x @param {Scale} y */
function drawGrid(x, y) {
  const vertical = x.ticks.map((tick) => {
    const at = x.position(tick).toFixed(1)
    return `<path class="grid" d="M${at} ${area.top}V${area.bottom}"/><text class="tick" x="${at}" y="${area.bottom + 17}" text-anchor="middle">${formatNumber(tick)}</text>`
  })
  const horizontal = y.ticks.map((tick) => {
    const at = y.position(tick)
    return `<path class="grid" d="M${area.left} ${at.toFixed(1)}H${area.right}"/><text class="tick" x="${area.left - 7}" y="${(at + 4).toFixed(1)}" text-anchor="end">${formatNumber(tick)}</text>`
  })
  return [...vertical, ...horizontal].join('\n')
}

/** @param {Scale} x @param {Scale} y @param {number | undefined} xLimit @param {number | undefined} yLimit */
function drawLimits(x, y, xLimit, yLimit) {
  const parts = []
  if (yLimit !== undefined) {
    const at = y.position(yLimit)
    parts.push(`<path class="limit" d="M${area.left} ${at.toFixed(1)}H${area.right}"/>`)
    parts.push(
      `<text class="limit-label" x="${area.right - 4}" y="${(at - 5).toFixed(1)}" text-anchor="end">limit ${formatNumber(yLimit)}</text>`,
    )
  }
  if (xLimit !== undefined) {
    const at = x.position(xLimit).toFixed(1)
    parts.push(`<path class="limit" d="M${at} ${area.top}V${area.bottom}"/>`)
  }
  return parts.join('\n')
}

/** @param {Line} line @param {number} index @param {Scale} x @param {Scale} y */
function drawLine({ name, points, x: xAxis, y: yAxis }, index, x, y) {
  const places = points.map(([first, second]) => /** @type {const} */ ([x.position(first), y.position(second)]))
  const path = places.map(([left, top]) => `${left.toFixed(1)} ${top.toFixed(1)}`).join('L')
  // Hundreds of marks would hide the line.
  const marks =
    points.length > 60
      ? []
      : places.map(([left, top], place) => {
          const [first = 0, second = 0] = points[place] ?? []
          const text = `${name}: ${formatNumber(first)} ${xAxis.unit}, ${formatNumber(second)} ${yAxis.unit}`
          return `<circle cx="${left.toFixed(1)}" cy="${top.toFixed(1)}" r="${markSize}"><title>${escapeMarkup(text)}</title></circle>`
        })
  return `<g class="line series-${index % 6}"><path d="M${path}"/>${marks.join('')}</g>`
}

/** @param {readonly string[]} names */
function drawLegend(names) {
  const items = names.map(
    (name, index) =>
      `<li><svg viewBox="0 0 28 10" width="28" height="10" aria-hidden="true"><g class="line series-${index % 6}"><path d="M1 5H27"/></g></svg>${escapeMarkup(name)}</li>`,
  )
  return `<ul class="legend">${items.join('')}</ul>`
}

/** @param {string} title @param {readonly Line[]} lines */
function describeLines(title, lines) {
  return `${title}. ${lines.map(({ name, points }) => `${name}: ${points.length} points`).join('; ')}. The table has the figures.`
}

/** @param {import('./figures.mjs').Axis} axis */
function formatAxis({ label, unit }) {
  return escapeMarkup(unit === '' ? label : `${label} (${unit})`)
}
