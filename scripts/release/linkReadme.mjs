import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { root } from '../lib/root.mjs'

/** @typedef {{ repository?: string | { url?: string } }} RepositoryField of a package.json */

/** A link or picture of Markdown, with its title if it has one. */
const links = /!?\[([^\]]*)\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g

/**
 * Rewrites the links of a README to files that its package does not contain, because they lead nowhere on a registry or in
 * `node_modules`: to the file in the repository that the manifest names, or to text without a link. An aside that is only such a
 * link is left out.
 *
 * @param {string} text Markdown
 * @param {{ folder: string, packed: string, manifest: RepositoryField }} places the package in the repository, its files as
 *   they are packed, and its package.json
 */
export function linkReadme(text, { folder, packed, manifest }) {
  const repository = repositoryUrl(manifest)
  const isBroken = (/** @type {string} */ target) =>
    isRelativeLink(target) && !isPacked(packed, target.replace(/#.*/, ''))
  if (repository === undefined) {
    const aside = new RegExp(` \\((${links.source.replace('!?', '')})\\)`, 'g')
    return text
      .replace(aside, (all, _link, _label, target) => (isBroken(target) ? '' : all))
      .replace(links, (all, label, target) => (isBroken(target) ? label : all))
  }
  return text.replace(links, (all, _label, target) =>
    isBroken(target) ? all.replace(`(${target}`, `(${repository}/blob/HEAD/${pathOf(folder, target)}`) : all,
  )
}

/**
 * Lists the relative links of a README to files that its package does not contain.
 *
 * @param {string} text Markdown
 * @param {readonly string[]} files the paths in the package
 * @returns {string[]}
 */
export function findBrokenLinks(text, files) {
  return [...text.matchAll(links)]
    .map(([, , target = '']) => target)
    .filter((target) => isRelativeLink(target) && !files.includes(target.replace(/#.*/, '').replace(/^\.\//, '')))
}

/** @param {string} target */
function isRelativeLink(target) {
  return !/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(target)
}

/**
 * @param {string} packed
 * @param {string} path
 */
function isPacked(packed, path) {
  return !relative(packed, join(packed, path)).startsWith('..') && existsSync(join(packed, path))
}

/**
 * @param {string} folder
 * @param {string} target
 */
function pathOf(folder, target) {
  return relative(root, join(folder, target)).split(sep).join('/')
}

/**
 * Reads the address of the repository from a package.json, in the forms that npm accepts for web addresses.
 *
 * @param {RepositoryField} manifest
 * @returns {string | undefined} such as `https://git.example.org/owner/name`
 */
function repositoryUrl({ repository }) {
  const written = typeof repository === 'string' ? repository : repository?.url
  const url = written
    ?.replace(/^(?:github:)?([\w.-]+\/[\w.-]+)$/, 'https://github.com/$1')
    .replace(/^git\+/, '')
    .replace(/^git:/, 'https:')
    .replace(/\.git$/, '')
  return url !== undefined && /^https?:/.test(url) ? url : undefined
}
