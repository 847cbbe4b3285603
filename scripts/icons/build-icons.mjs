// node scripts/icons/build-icons.mjs: installs the pinned icon packages of scripts/icons/package.json and writes the brand icons that
// the server and the modal show. Run it by hand after a change of the packages, of the wallet list or of scripts/icons.
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright'
import { createIconSources } from './iconSources.mjs'
import { listNetworkIcons } from './networkIcons.mjs'
import { renderSocialPaths } from './socialPaths.mjs'
import { listTokenIcons } from './tokenIcons.mjs'
import { listWalletIcons } from './walletIcons.mjs'
import { root } from '../lib/root.mjs'

const tokensPerFile = 750
const folder = join(root, 'scripts/icons')
execFileSync('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'], { stdio: 'inherit' })

const modules = pathToFileURL(join(folder, 'node_modules/'))
const sources = await createIconSources(modules)
const networks = listNetworkIcons(sources)
await save('server/src/wallets/icons/networks.json', networks)
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] })
const page = await browser.newPage({ viewport: { width: 120, height: 120 } })
const tokens = await listTokenIcons(sources, networks, page)
// Two files, because each may have 1 MB.
await save('server/src/wallets/icons/tokens.json', tokens.slice(0, tokensPerFile))
await save('server/src/wallets/icons/moreTokens.json', tokens.slice(tokensPerFile))
/** @type {readonly { slug: string }[]} */
const wallets = JSON.parse(await readFile(join(root, 'server/src/wallets/wallets.json'), 'utf8'))
/** @type {{ wallets: Record<string, { thirdweb?: string }> }} */
const facts = JSON.parse(await readFile(join(root, 'scripts/icons/wallets/walletSources.json'), 'utf8'))
await save(
  'server/src/wallets/icons/wallets.json',
  await listWalletIcons(
    sources,
    modules,
    wallets.map(({ slug }) => ({ slug, thirdweb: facts.wallets[slug]?.thirdweb })),
    page,
  ),
)
await browser.close()
await write('packages/react/src/modal/login/social/socialPaths.ts', renderSocialPaths(sources))

/**
 * @param {string} path
 * @param {readonly import('./iconSources.mjs').BrandIcon[]} icons
 */
async function save(path, icons) {
  const text = `${JSON.stringify(icons, (key, value) => (key === 'native' ? undefined : value))}\n`
  await write(path, text)
  console.log(`${path}: ${icons.length} icons, ${Math.round(text.length / 1000)} kB`)
}

/**
 * @param {string} path
 * @param {string} text
 */
async function write(path, text) {
  await writeFile(join(root, path), text)
  execFileSync('npx', ['oxfmt', path], { cwd: root, stdio: 'inherit' })
}
