// npm run build: packages, server and local world with tsc, the apps with Vite. Does nothing when nothing changed.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprint, readMark, writeMark } from './lib/fingerprint.mjs'
import { root } from './lib/root.mjs'
import { run } from './lib/run.mjs'

const markFile = join(root, '.latchkey/built')
const sources = ['packages', 'server', 'devnet', 'apps', 'package-lock.json', 'tsconfig.base.json', 'tsconfig.json']
const results = [
  'server/dist/main.js',
  'devnet/dist/index.js',
  'apps/web/dist/index.html',
  'apps/wallet/dist/index.html',
]

/** Builds everything that `npm start` runs, unless the sources are those of the last build. */
export async function build() {
  const mark = fingerprint(sources.map((source) => join(root, source)))
  if (readMark(markFile) === mark && results.every((file) => existsSync(join(root, file)))) return
  console.log('Building …')
  run('The build of the packages', process.execPath, ['node_modules/ts7/bin/tsc', '-b', 'tsconfig.json'])
  const { build: buildApp } = await import('vite')
  for (const app of ['apps/wallet', 'apps/web']) await buildApp({ root: join(root, app), logLevel: 'warn' })
  writeMark(markFile, mark)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
