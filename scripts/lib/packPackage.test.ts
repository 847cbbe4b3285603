import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { build, type Rolldown } from 'vite'
import { findBrokenLinks } from '../release/linkReadme.mjs'
import { packPackage } from './packPackage.mjs'
import { root } from './root.mjs'

const client = [
  'protocol',
  'core',
  'modal',
  'evm',
  'solana',
  'bitcoin',
  'polkadot',
  'walletconnect',
  'embedded',
  'react',
]
/** Those of an app with wagmi. The package for wagmi is not bundled. */
const installed = [...client, 'wagmi']
const folder = mkdtempSync(join(tmpdir(), 'latchkey-packed-'))
const scope = join(folder, 'node_modules/@latchkey')
const files = new Map<string, string[]>()

beforeAll(async () => {
  // The type declarations are copied from the build.
  const projects = [...installed, 'verify'].map((name) => `packages/${name}`)
  execFileSync(process.execPath, ['node_modules/ts7/bin/tsc', '-b', ...projects], { cwd: root })
  mkdirSync(scope, { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@latchkey') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  symlinkSync(join(root, 'packages/verify'), join(scope, 'verify'))
  for (const name of installed) {
    const packed = await packPackage(join(root, 'packages', name), folder)
    files.set(
      name,
      packed.files.map(({ path }) => path),
    )
    mkdirSync(join(scope, name))
    execFileSync('tar', ['xzf', packed.archive, '-C', join(scope, name), '--strip-components=1'])
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Chunk = Rolldown.OutputChunk
type Manifest = {
  keywords?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

async function buildApp(code: string): Promise<Chunk[]> {
  const entry = join(folder, 'app.js')
  const result = await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    plugins: [
      {
        name: 'the app',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
    ],
    build: { write: false, rolldownOptions: { input: entry } },
  })
  const [output] = [result].flat()
  if (output === undefined || !('output' in output)) throw new Error('Vite watches instead of building.')
  return output.output.filter((item) => item.type === 'chunk')
}

function listLoadedFirst(chunks: readonly Chunk[]): Set<Chunk> {
  const reached = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const chunk of reached)
    for (const other of chunks) if (chunk.imports.includes(other.fileName)) reached.add(other)
  return reached
}

const evmApp = `
  import { createLatchkey } from '@latchkey/core'
  import { evm } from '@latchkey/evm'
  import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
  import { createElement } from 'react'
  import { createRoot } from 'react-dom/client'
  import { mainnet } from 'viem/chains'
  const latchkey = createLatchkey({ adapters: [evm({ chains: [mainnet] })] })
  createRoot(document.body).render(createElement(LatchkeyProvider, { latchkey }, createElement(ConnectButton)))
`

test('the React package is one entry file, one modal file, and one file per flow, without sources', () => {
  const shipped = files.get('react') ?? []
  const modules = shipped.filter((path) => path.endsWith('.js'))
  expect(modules).toEqual(expect.arrayContaining(['dist/index.js', 'dist/initial.js', 'dist/modal.js']))
  expect(modules.length).toBeLessThanOrEqual(30)
  expect(shipped.length).toBeLessThanOrEqual(60)
  expect(shipped.filter((path) => path.endsWith('.d.ts'))).toEqual(['dist/index.d.ts'])
  expect(shipped.filter((path) => path.startsWith('src/'))).toEqual([])
  for (const path of ['dist/initial.js', 'dist/modal.js']) expect(shipped).toContain(`${path}.map`)
})

test('the entry of the React package is a client module for servers that render components', () => {
  const code = readFileSync(join(scope, 'react/dist/index.js'), 'utf8')
  expect(code).toMatch(/^['"]use client['"]/)
})

test('published packages resolve to built files only', () => {
  for (const name of client) {
    const manifest: { exports: object } = JSON.parse(readFileSync(join(scope, name, 'package.json'), 'utf8'))
    expect(JSON.stringify(manifest.exports)).not.toContain('src/')
  }
})

test.each(['viem-oldest', 'viem'])('the example of the README compiles with %s', (viem) => {
  const consumer = mkdtempSync(join(tmpdir(), 'latchkey-consumer-'))
  onTestFinished(() => rmSync(consumer, { recursive: true, force: true }))
  const modules = join(consumer, 'node_modules')
  mkdirSync(modules)
  for (const name of ['react', 'react-dom', '@types', 'abitype', 'zustand', '@tanstack']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  symlinkSync(join(root, 'node_modules', viem), join(modules, 'viem'))
  // Copied, because a link would resolve to the packages of the other consumer.
  cpSync(scope, join(modules, '@latchkey'), { recursive: true, dereference: true })
  const example = /```tsx\n([^]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? ''
  // ABIs of each version of viem give typed results.
  const reading = `import { useReadContract } from '@latchkey/react'
import { erc20Abi } from 'viem'
export const Supply = ({ address }: { address: string }) => {
  const { data } = useReadContract({ abi: erc20Abi, address, functionName: 'totalSupply' })
  const supply: bigint | undefined = data
  // @ts-expect-error -- the result is not text
  const text: string | undefined = data
  return <p>{String(supply ?? text)}</p>
}
`
  writeFileSync(join(consumer, 'app.tsx'), `${example}${reading}`)
  const options =
    '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --jsx react-jsx'
  const tsc = [join(root, 'node_modules/ts7/bin/tsc'), ...options.split(' '), '--types', '', 'app.tsx']
  expect(spawnSync(process.execPath, tsc, { cwd: consumer, encoding: 'utf8' }).stdout).toBe('')
})

test('apps bring viem and React, so that they have one copy of each', () => {
  for (const [name, peer] of [
    ['evm', 'viem'],
    ['react', 'react'],
    ['react', 'react-dom'],
  ] as const) {
    const manifest: Manifest = JSON.parse(readFileSync(join(scope, name, 'package.json'), 'utf8'))
    expect(manifest.peerDependencies?.[peer]).toMatch(/^\^/)
    expect(manifest.dependencies?.[peer]).toBeUndefined()
  }
})

test('packed packages have a licence and source maps, and no README with a link that leaves its package', () => {
  for (const name of installed) {
    const paths = files.get(name) ?? []
    expect(paths).toContain('LICENSE')
    expect(paths.some((path) => path.endsWith('.js.map'))).toBe(true)
    const readme = readFileSync(join(scope, name, 'README.md'), 'utf8')
    expect([name, findBrokenLinks(readme, paths)]).toEqual([name, []])
  }
})

test('all published packages have keywords, and ranges as dependencies, so that apps get no second copy', () => {
  const published = [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), 'server', 'devnet']
  for (const path of published) {
    const manifest: Manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    expect([path, manifest.keywords?.length ?? 0]).toEqual([path, expect.toSatisfy((count) => count > 0)])
    const { dependencies, optionalDependencies } = manifest
    for (const [dependency, range] of Object.entries({ ...dependencies, ...optionalDependencies }))
      if (!dependency.startsWith('@latchkey/')) expect(`${path}: ${dependency} ${range}`).toMatch(/ \^/)
  }
})

test('packages that apps install next to their own viem accept the oldest one that apps may have', () => {
  for (const path of ['server', 'devnet', 'packages/testkit', 'packages/evm']) {
    const manifest: Manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    const { dependencies, optionalDependencies, peerDependencies } = manifest
    expect([path, { ...dependencies, ...optionalDependencies, ...peerDependencies }['viem']]).toEqual([path, '^2.38.0'])
  }
})

test('every published entry of the browser packages can be imported on a server', () => {
  const names = client.map((name) => `@latchkey/${name}`)
  const entries = [...names, '@latchkey/core/internal', '@latchkey/core/money', '@latchkey/modal/messages']
  const script = `
    for (const name of ${JSON.stringify(entries)}) await import(name)
    const { renderToString } = await import('react-dom/server')
    const { createElement } = await import('react')
    const { createLatchkey } = await import('@latchkey/core')
    const { ConnectButton, LatchkeyProvider } = await import('@latchkey/react')
    const latchkey = createLatchkey({ adapters: [] })
    console.log(renderToString(createElement(LatchkeyProvider, { latchkey }, createElement(ConnectButton))))
  `
  const html = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8' })
  expect(html).toContain('Connect')
})

test('an app with one adapter contains no other, and loads one script for its button', async () => {
  const chunks = await buildApp(evmApp)
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  expect(modules.filter((id) => /@latchkey\/(solana|bitcoin|polkadot|walletconnect|embedded)\//.test(id))).toEqual([])
  const first = listLoadedFirst(chunks)
  expect(first.size).toBe(1)
  const firstModules = [...first].flatMap(({ moduleIds }) => moduleIds)
  expect(firstModules.filter((id) => /@latchkey\/\w+\/dist\/(?!initial)/.test(id))).toEqual([])
})

test('an app that calls hooks and functions beside its button loads no flow of the modal with its page', async () => {
  const chunks = await buildApp(`
    import { connect, disconnect, switchNetwork } from '@latchkey/core'
    import { closeModal, openModal } from '@latchkey/modal'
    import { LatchkeyProvider, NetworkButton, useModal, useSignIn, WalletButton } from '@latchkey/react'
    import * as connectKit from '@latchkey/wagmi/connectkit'
    import * as rainbowKit from '@latchkey/wagmi/rainbowkit'
    console.log(connect, disconnect, switchNetwork, closeModal, openModal, connectKit, rainbowKit)
    console.log(LatchkeyProvider, NetworkButton, useModal, useSignIn, WalletButton)
  `)
  const modules = [...listLoadedFirst(chunks)].flatMap(({ moduleIds }) => moduleIds)
  expect(modules.filter((id) => /@latchkey\/(core|modal|react)\/dist\/(?!initial|page)/.test(id))).toEqual([])
})

test('the texts of the button in another language load no flow of the modal', () => {
  const code = readFileSync(join(scope, 'modal/dist/languages.js'), 'utf8')
  const imported = [...code.matchAll(/from "([^"]+)"/g)].map(([, name]) => name)
  expect(imported.filter((name) => name !== '@latchkey/protocol/messages')).toEqual([])
})
