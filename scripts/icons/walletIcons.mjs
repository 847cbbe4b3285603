import { readFileSync, readdirSync } from 'node:fs'
import { renderWebp, toSvgUri } from './renderWebp.mjs'
import { packedPackages, unpackPackage } from './wallets/packedPackages.mjs'
import { walletDrawings } from './walletDrawings.mjs'

/** Longer drawings, and drawings with embedded images, are stored as WebP. */
const maxLength = 3_000
const pixels = 120
/** The icons of the directory, most of them of little-used wallets, are smaller so that all of them fit. */
const directoryPixels = 56

/**
 * Lists the icons of the wallets of the wallet list: the chosen drawing, or else the one of the directory of thirdweb.
 *
 * @param {import('./iconSources.mjs').IconSources} sources
 * @param {URL} modules the folder of the installed packages
 * @param {readonly { slug: string, thirdweb: string | undefined }[]} wallets
 * @param {import('playwright').Page} page
 * @returns {Promise<readonly import('./iconSources.mjs').BrandIcon[]>}
 */
export async function listWalletIcons(sources, modules, wallets, page) {
  const readers = createReaders(sources, modules)
  /** @type {import('./iconSources.mjs').BrandIcon[]} */
  const icons = []
  for (const { slug, thirdweb } of wallets) {
    const [from = '', name = ''] = (walletDrawings[slug] ?? (thirdweb && `thirdweb ${thirdweb}`))?.split(' ') ?? []
    const reader = readers[from]
    if (reader === undefined) continue
    const { source, uri } = await reader(name)
    const small = sources.toSafeSvg(uri, maxLength)
    const size = from === 'thirdweb' ? directoryPixels : pixels
    const drawn = small === undefined ? { webp: await renderWebp(page, uri, size) } : { svg: small }
    icons.push({ id: slug, for: [slug], source, ...drawn })
  }
  return icons
}

/** @typedef {{ source: string, uri: string }} Original a drawing as a data URI */

/**
 * @param {import('./iconSources.mjs').IconSources} sources
 * @param {URL} modules
 * @returns {Record<string, (name: string) => Original | Promise<Original>>}
 */
function createReaders({ drawing, brand, versionOf }, modules) {
  const { thirdweb } = packedPackages
  const directory = new URL('dist/esm/wallets/__generated__/wallet/', unpackPackage(thirdweb))
  return {
    async thirdweb(name) {
      const { default: uri } = await import(new URL(`${name}/image.js`, directory).href)
      return { source: `${thirdweb.name}@${thirdweb.version} ${name}`, uri }
    },
    web3icons(name) {
      const [kind = '', id = ''] = name.split('/')
      const { source, svg } = drawing(kind, id) ?? throwMissing(name)
      return { source, uri: toSvgUri(svg) }
    },
    rainbowkit(name) {
      const file = rainbowkitFile(modules, name)
      const [uri] = /data:image\/[^"]+/.exec(readFileSync(file, 'utf8')) ?? []
      return { source: `${versionOf('@rainbow-me/rainbowkit')} ${name}`, uri: uri ?? throwMissing(name) }
    },
    async onboard(name) {
      const { default: svg } = await import(
        new URL(`@web3-onboard/injected-wallets/dist/icons/${name}.js`, modules).href
      )
      return { source: `${versionOf('@web3-onboard/injected-wallets')} ${name}`, uri: toSvgUri(svg) }
    },
    nightly(name) {
      const file = new URL('@solana/wallet-adapter-nightly/lib/esm/adapter.js', modules)
      const [uri] = /data:image\/[^'"]+/.exec(readFileSync(file, 'utf8')) ?? []
      return { source: `${versionOf('@solana/wallet-adapter-nightly')} ${name}`, uri: uri ?? throwMissing(name) }
    },
    'simple-icons': (name) => {
      const { path, hex } = brand(name)
      const mark = `<path fill="#fff" transform="translate(6 6) scale(.5)" d="${path}"/>`
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#${hex}" d="M0 0h24v24H0z"/>${mark}</svg>`
      return { source: `${versionOf('simple-icons')} ${name}`, uri: toSvgUri(svg) }
    },
  }
}

/**
 * Finds the module of a drawing, whose name ends in a hash.
 *
 * @param {URL} modules
 * @param {string} name
 */
function rainbowkitFile(modules, name) {
  const folder = new URL('@rainbow-me/rainbowkit/dist/', modules)
  const file = readdirSync(folder).find((each) => each.startsWith(`${name}-`))
  return new URL(file ?? throwMissing(name), folder)
}

/**
 * @param {string} name
 * @returns {never}
 */
function throwMissing(name) {
  throw new Error(`There is no drawing ${name}.`)
}
