import { join, relative, sep } from 'node:path'
import { build } from 'vite'
import { root } from './root.mjs'

/** An app that uses every adapter and the usual buttons. An app with another button loads another file with its page. */
const app = `
  export { createLatchkey } from '@latchkey/core'
  export { evm } from '@latchkey/evm'
  export { solana } from '@latchkey/solana'
  export { bitcoin } from '@latchkey/bitcoin'
  export { polkadot } from '@latchkey/polkadot'
  export { walletConnect } from '@latchkey/walletconnect'
  export { embedded } from '@latchkey/embedded'
  export { AccountButton, ConnectButton, LatchkeyProvider } from '@latchkey/react'
`
/** An app that also calls functions and hooks of its own, as those with wagmi do. The modal uses most of them, too. */
const pageApp = `${app}
  export { connect, disconnect, getAccount, signIn, signOut, start, switchNetwork } from '@latchkey/core'
  export { closeModal, currentEntry, openModal } from '@latchkey/modal'
  export { NetworkButton, useModal, useSignIn, WalletButton } from '@latchkey/react'
  export { latchkeyConnector } from '@latchkey/wagmi'
  export * as rainbowKit from '@latchkey/wagmi/rainbowkit'
  export * as connectKit from '@latchkey/wagmi/connectkit'
`
const modalModule = join('packages', 'react', 'src', 'modal', 'index.ts')

/**
 * Returns the chunk of a module. `initial` loads with the page, `page` with the page of an app that uses more than the button
 * and otherwise with the modal, `modal` with the modal, `actions` with the first use of a
 * wallet or network, `shared` with the first of several flows. Other names are those of flows. A module that such an app
 * does not use has none.
 *
 * @typedef {(module: string) => string | undefined} ChunkPlan
 */

/** @type {Promise<ChunkPlan> | undefined} */
let plan

/** The packages whose modules are cut by flow. Adapters are cut at their dynamic imports. */
const cutByFlow = /\/packages\/(core|modal|protocol|react)\/src\/(?!testing\/)/

/** The chunks that others depend on, the first ones first. */
const sharedChunks = ['messages', 'languages', 'initial', 'page', 'modal', 'actions', 'shared']

/**
 * Returns the groups of modules of the packages that are bundled into one file. A module in no group is bundled as Vite does it.
 *
 * @returns {Promise<import('vite').Rolldown.CodeSplittingGroup[]>}
 * @example output: { codeSplitting: { groups: await loadChunkGroups() } }
 */
export async function loadChunkGroups() {
  const plan = await loadChunkPlan()
  /** @type {import('vite').Rolldown.CodeSplittingNameFunction} */
  const chunkOf = (module, context) => {
    const chunk = plan(module)
    // The translations of every language use these modules and nothing else.
    if (module.includes('/protocol/src/messages/')) return 'messages'
    if (chunk === 'initial' || chunk === 'modal') return chunk
    // A page in another language needs the translations of its button, and no flow.
    if (module.includes('/modal/src/messages/generated/buttons/')) return 'languages'
    // Without its neighbours, one of these would load with less than all others do. Rolldown then cuts the first chunk.
    if (module.includes('/evm/src/calls/')) return 'calls'
    if (!cutByFlow.test(module)) return undefined
    const isLazy = (context.getModuleInfo(module)?.dynamicImporters.length ?? 0) > 0
    return isLazy && !module.endsWith('View.tsx') ? undefined : (chunk ?? 'more')
  }
  return [
    ...sharedChunks.map((name, index) => ({
      name: (/** @type {Parameters<typeof chunkOf>} */ ...module) => (chunkOf(...module) === name ? name : undefined),
      debugName: name,
      priority: sharedChunks.length - index,
    })),
    { name: chunkOf, debugName: 'flows', priority: 0 },
  ]
}

/**
 * Finds out when the modules of the packages load, by bundling an app that uses them.
 *
 * @returns {Promise<ChunkPlan>}
 */
function loadChunkPlan() {
  return (plan ??= makePlan())
}

/** @returns {Promise<ChunkPlan>} */
async function makePlan() {
  const chunks = await bundleApp(app)
  const initial = entryModules(chunks)
  const page = entryModules(await bundleApp(pageApp))
  /** @type {Map<string, Set<string>>} */
  const flows = new Map()
  for (const chunk of chunks) {
    const flow = chunk.isDynamicEntry && chunk.facadeModuleId !== null ? flowOf(chunk.facadeModuleId) : undefined
    if (flow === undefined) continue
    for (const module of modulesFrom([chunk], chunks)) flows.set(module, (flows.get(module) ?? new Set()).add(flow))
  }
  return (module) => {
    if (initial.has(module)) return 'initial'
    // Within the chunk of the modal, a function that a page calls would load the whole modal with the page.
    if (page.has(module)) return 'page'
    const using = flows.get(module) ?? new Set()
    for (const first of ['modal', 'actions']) if (using.has(first)) return first
    return using.size > 1 ? 'shared' : [...using][0]
  }
}

/**
 * Returns the flow that a lazily imported module begins.
 *
 * @param {string} module
 */
function flowOf(module) {
  const path = relative(join(root, 'packages'), module).split(sep).join('/')
  if (path.includes('/messages/generated/')) return undefined
  if (path.endsWith('messages/getLanguage.ts')) return 'languages'
  if (module.endsWith(`${sep}${modalModule}`) || path.startsWith('modal/')) return 'modal'
  const [, view] = /^react\/src\/modal\/(?:views\/)?(\w+)\//.exec(path) ?? []
  return view ?? 'actions'
}

/** @typedef {Extract<import('vite').Rolldown.RolldownOutput['output'][number], { type: 'chunk' }>} Chunk */

/**
 * @param {string} code of the app
 * @returns {Promise<Chunk[]>}
 */
async function bundleApp(code) {
  const entry = join(root, 'app.js')
  const result = await build({
    configFile: false,
    root,
    logLevel: 'silent',
    resolve: { conditions: ['source'] },
    plugins: [
      {
        name: 'the app',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      // Only the modules of the packages matter.
      rolldownOptions: { external: (id) => !isOurs(id), preserveEntrySignatures: 'allow-extension' },
    },
  })
  const outputs = Array.isArray(result) ? result : [result]
  return outputs.flatMap((output) => ('output' in output ? output.output.filter((item) => item.type === 'chunk') : []))
}

/** @param {string} id */
function isOurs(id) {
  return id.startsWith('.') || id.startsWith('/') || id.startsWith('\0') || id.startsWith('@latchkey/')
}

/**
 * @param {readonly Chunk[]} chunks
 * @returns {Set<string>} the modules that load with the page
 */
function entryModules(chunks) {
  return modulesFrom(
    chunks.filter(({ isEntry }) => isEntry),
    chunks,
  )
}

/**
 * @param {readonly Chunk[]} starts
 * @param {readonly Chunk[]} chunks
 * @returns {Set<string>} the modules that load with the given chunks
 */
function modulesFrom(starts, chunks) {
  /** @type {Set<Chunk>} */
  const reached = new Set()
  /** @param {Chunk} chunk */
  function reach(chunk) {
    if (reached.has(chunk)) return
    reached.add(chunk)
    for (const other of chunks) if (chunk.imports.includes(other.fileName)) reach(other)
  }
  starts.forEach(reach)
  return new Set([...reached].flatMap(({ moduleIds }) => moduleIds))
}
