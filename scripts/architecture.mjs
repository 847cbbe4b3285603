// node scripts/architecture.mjs: redraws the picture in docs/architecture.md from the layer rules.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMain } from './lib/gate.mjs'
import { layers } from './lib/layers.mjs'
import { root } from './lib/root.mjs'

export const architecturePage = 'docs/architecture.md'

/**
 * Draws the layers as a Mermaid graph. An arrow that follows from other arrows is left out.
 *
 * @param {Readonly<Record<string, readonly string[]>>} arrows
 * @returns {string}
 */
export function drawLayers(arrows) {
  const lines = Object.entries(arrows).flatMap(([from, targets]) =>
    targets
      .filter((target) => !targets.some((other) => other !== target && canReach(arrows, other, target)))
      .map((target) => `  ${nodeOf(from)} --> ${nodeOf(target)}`),
  )
  return ['```mermaid', 'graph TD', ...lines, '```'].join('\n')
}

/**
 * @param {Readonly<Record<string, readonly string[]>>} arrows
 * @param {string} from
 * @param {string} to
 * @returns {boolean}
 */
function canReach(arrows, from, to) {
  return (arrows[from] ?? []).some((next) => next === to || canReach(arrows, next, to))
}

/** @param {string} workspace */
function nodeOf(workspace) {
  return `${workspace.replace(/\W/g, '_')}["${workspace}"]`
}

/**
 * Replaces the picture of a page.
 *
 * @param {string} page
 * @param {string} picture
 */
export function withPicture(page, picture) {
  return page.replace(/```mermaid\n[\s\S]*?```/, picture)
}

if (isMain(import.meta.url)) {
  const page = await readFile(join(root, architecturePage), 'utf8')
  await writeFile(join(root, architecturePage), withPicture(page, drawLayers(layers.arrows)))
}
