import { existsSync, readFileSync } from 'node:fs'

/**
 * An icon as the server stores it.
 *
 * @typedef {object} BrandIcon
 * @property {string} id
 * @property {string[]} for what the icon stands for: CAIP-2 ids, token ids or slugs of wallets
 * @property {string} source package, version and path
 * @property {string} [svg]
 * @property {string} [webp] in Base64
 * @property {string} [native] the package's name of a network's native currency; not stored
 */

/**
 * @typedef {object} SourceNetwork
 * @property {string} id
 * @property {string} filePath `network:` and the name of the drawing
 * @property {string} [caip2id]
 * @property {string} [nativeCoinId]
 */

/**
 * @typedef {object} SourceToken
 * @property {string} id
 * @property {string} filePath `token:` and the name of the drawing
 * @property {string} symbol
 * @property {number | null} [marketCapRank]
 * @property {Record<string, string>} [addresses] by network
 */

/**
 * The icon packages.
 *
 * @typedef {object} IconSources
 * @property {readonly SourceNetwork[]} networks
 * @property {readonly SourceToken[]} tokens
 * @property {(kind: string, name: string) => Drawing | undefined} drawing on a background
 * @property {(slug: string) => { path: string, hex: string }} brand
 * @property {(name: string) => string} versionOf a package and its version
 * @property {(uri: string, maxLength: number) => string | undefined} toSafeSvg the drawing of a data URI, if it is small and safe
 */

/** @typedef {{ source: string, svg: string }} Drawing */

const svgPlugins = ['preset-default', 'removeDimensions', { name: 'removeAttrs', params: { attrs: 'svg:class' } }]
/** Markup that could run code or load something. No drawing may contain it. */
const unsafe =
  /<script|<foreignObject|<style|\son\w+=|href=["'](?!#|data:image\/)|url\((?!["']?#)|javascript:|<!ENTITY/i

/**
 * Opens the icon packages.
 *
 * @param {URL} modules the folder of the installed packages
 * @returns {Promise<IconSources>}
 */
export async function createIconSources(modules) {
  const { optimize } = await import(new URL('svgo/lib/svgo-node.js', modules).href)
  const { networks, tokens } = await import(new URL('@web3icons/common/dist/index.js', modules).href)
  /** @param {string} name */
  const versionOf = (name) => readPackage(new URL(`${name}/`, modules))
  const web3icons = versionOf('@web3icons/core')
  const simpleIcons = await import(new URL('simple-icons/index.mjs', modules).href)
  return {
    networks,
    tokens,
    drawing(kind, name) {
      const path = `${kind}/background/${name}`
      const file = new URL(`@web3icons/core/dist/svgs/${path}.svg.js`, modules)
      if (!existsSync(file)) return undefined
      // The module is one string literal.
      const [, markup] = /=\s*'(.*)'/s.exec(readFileSync(file, 'utf8')) ?? []
      if (markup === undefined) throw new Error(`${file} contains no drawing.`)
      return { source: `${web3icons} ${path}`, svg: toStoredSvg(optimize, markup.replaceAll(String.raw`\n`, '')) }
    },
    brand(slug) {
      const { hex, svg } = Object.values(simpleIcons).find((icon) => icon.slug === slug)
      const { data } = optimize(svg, { multipass: true, floatPrecision: 2 })
      const [, path = ''] = / d="([^"]+)"/.exec(data) ?? []
      return { hex, path }
    },
    versionOf,
    toSafeSvg(uri, maxLength) {
      const markup = readSvgUri(uri)
      if (markup === undefined || markup.includes('<image')) return undefined
      const { data } = optimize(markup, { multipass: true, floatPrecision: 2, plugins: svgPlugins })
      const isSafe = !unsafe.test(data) && !data.includes("'") && / viewBox=/.test(data)
      return isSafe && data.length <= maxLength ? withSize(data) : undefined
    },
  }
}

/**
 * Decodes an SVG in a data URI.
 *
 * @param {string} uri
 */
function readSvgUri(uri) {
  const [head = '', body = ''] = uri.split(/,(.*)/s)
  if (!head.startsWith('data:image/svg+xml')) return undefined
  return head.endsWith(';base64') ? Buffer.from(body, 'base64').toString('utf8') : decodeURIComponent(body)
}

/** @param {URL} folder */
function readPackage(folder) {
  const { name, version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  return `${name}@${version}`
}

/**
 * Reduces a drawing to the parts that a page needs.
 *
 * @param {(svg: string, config: object) => { data: string }} optimize
 * @param {string} markup
 * @returns {string} with single quotes, so that JSON needs no escapes
 */
function toStoredSvg(optimize, markup) {
  const { data } = optimize(markup, { multipass: true, floatPrecision: 2, plugins: svgPlugins })
  if (unsafe.test(data) || data.includes("'")) throw new Error(`A drawing is not safe to serve: ${data.slice(0, 200)}`)
  return withSize(data)
}

/** @param {string} svg */
function withSize(svg) {
  return svg.replace('<svg ', '<svg width="80" height="80" ').replaceAll('"', "'")
}
