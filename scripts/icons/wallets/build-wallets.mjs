// node scripts/icons/wallets/build-wallets.mjs: reads the wallets of pinned packages, merges them with those that were reviewed by hand, and
// writes the wallet list of the server with the sources of its facts. Run it by hand, and scripts/icons/build-icons.mjs after it.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../lib/root.mjs'
import { readLunoWallets } from './lunoWallets.mjs'
import { mergeWallets } from './mergeWallets.mjs'
import { packedPackages, unpackPackage } from './packedPackages.mjs'
import { readRainbowkitWallets } from './rainbowkitWallets.mjs'
import { readThirdwebWallets } from './thirdwebWallets.mjs'

/** Enough for the wallets that people use, and few enough for small icons of all of them. */
const most = 420

const reviewed = JSON.parse(readFileSync(join(root, 'scripts/icons/wallets/reviewedWallets.json'), 'utf8'))
const packages = {
  thirdweb: await readThirdwebWallets(unpackPackage(packedPackages.thirdweb)),
  rainbowkit: readRainbowkitWallets(unpackPackage(packedPackages.rainbowkit)),
  luno: readLunoWallets(unpackPackage(packedPackages.luno)),
}
const { wallets, sources, contradictions, dropped } = mergeWallets(reviewed, packages, most)
const versions = Object.entries(packedPackages).map(([key, { name, version }]) => [key, `${name}@${version}`])
saveFacts('server/src/wallets/wallets.json', wallets)
saveFacts('scripts/icons/wallets/walletSources.json', {
  packages: { reviewed: 'scripts/icons/wallets/reviewedWallets.json', ...Object.fromEntries(versions) },
  contradictions,
  wallets: sources,
})
console.log(`${wallets.length} wallets, ${contradictions.length} contradictions`)
console.log(`Dropped because nothing connects them: ${dropped.join(', ')}`)

/**
 * @param {string} path
 * @param {unknown} value
 */
function saveFacts(path, value) {
  writeFileSync(join(root, path), JSON.stringify(value))
  execFileSync('npx', ['oxfmt', path], { cwd: root, stdio: 'inherit' })
}
