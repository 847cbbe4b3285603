import { internalsOf } from '@latchkey/core/internal'
import {
  connect,
  disconnect,
  getAccount,
  getAccounts,
  getConnections,
  setActiveNamespace,
  signMessage,
  start,
  switchAccount,
  switchConnection,
  switchNetwork,
  verifyMessage,
  type Latchkey,
  type WalletState,
} from '@latchkey/core'
import {
  getRejection,
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeStorage,
  fakeWorld,
  flushTasks,
  type FakeConnector,
  type FakeStorage,
} from '@latchkey/core/fakes'
import { namespaces, parseAccountId, type AccountId, type Namespace } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { createRandom, type Random } from './testing/random.ts'

/** The number of steps per walk. CI uses short walks. */
const steps = Number(process.env['LATCHKEY_WALK_STEPS'] ?? 250)
/** The first seed. Set `LATCHKEY_WALK_SEED` to try others. */
const firstSeed = Number(process.env['LATCHKEY_WALK_SEED'] ?? 1)

/** Three wallets per namespace: one for that namespace only, one in the page for all namespaces, and one on a phone for all namespaces. */
const wallets = [
  { id: 'page', type: 'injected', namespaces },
  { id: 'phone', type: 'walletConnect', namespaces },
  ...namespaces.map((namespace) => ({ id: `own ${namespace}`, type: 'injected', namespaces: [namespace] }) as const),
] as const

/** The expected public state of one connected wallet. */
type ExpectedWallet = { id: string; accounts: readonly string[]; account: string; picked: boolean; chain: number }

/** The expected state, updated by simple rules. The first wallet of a namespace is the primary one. */
type Model = {
  multiWallet: boolean
  active: Namespace
  wallets: { [namespace in Namespace]?: readonly ExpectedWallet[] }
}

type Walk = {
  random: Random
  model: Model
  storage: FakeStorage
  latchkey: Latchkey
  connectors: ReadonlyMap<string, FakeConnector>
  /** Wallets that still grant permission after a reload. */
  consents: Set<string>
  stop(): void
}

/** Returns addresses that are unique to this wallet. */
function addressesOf(id: string, namespace: Namespace): readonly string[] {
  const index = wallets.findIndex((wallet) => wallet.id === id) * 10
  return [0, 1, 2].map((each) => parseAccountId(fakeAccount(`${namespace}:1`, index + each)).address)
}

function accountOf(namespace: Namespace, chain: number, address: string): AccountId {
  return `${namespace}:${chain}:${address}`
}

function newWallet(id: string, namespace: Namespace): ExpectedWallet {
  const accounts = addressesOf(id, namespace)
  return { id, accounts, account: accounts[0] ?? '', picked: false, chain: 1 }
}

/** Opens or reloads the page. */
function open(walk: Pick<Walk, 'storage' | 'consents' | 'model'>): Pick<Walk, 'latchkey' | 'connectors' | 'stop'> {
  const connectors = wallets.map((wallet) =>
    fakeConnector({
      id: wallet.id,
      type: wallet.type,
      namespaces: wallet.namespaces,
      accounts: wallet.namespaces.flatMap((namespace) =>
        addressesOf(wallet.id, namespace).map((address) => accountOf(namespace, 1, address)),
      ),
      neverResponds: true,
      restores: walk.consents.has(wallet.id),
    }),
  )
  const { latchkey } = fakeWorld({
    adapters: namespaces.map((namespace) => fakeAdapter({ namespace })),
    connectors,
    storage: walk.storage,
    multiWallet: walk.model.multiWallet,
    unsupportedNetworks: 'ignore',
  })
  const stop = start(latchkey)
  return { latchkey, stop, connectors: new Map(connectors.map((connector) => [connector.id, connector])) }
}

function connectorOf(walk: Walk, id: string): FakeConnector {
  return walk.connectors.get(id) ?? expect.fail(`there is no ${id}`)
}

function expectedWallets(model: Model, namespace: Namespace): readonly ExpectedWallet[] {
  return model.wallets[namespace] ?? []
}

function updateExpectedWallet(
  model: Model,
  namespace: Namespace,
  id: string,
  update: (before: ExpectedWallet) => Partial<ExpectedWallet>,
): void {
  model.wallets[namespace] = expectedWallets(model, namespace).map((each) =>
    each.id === id ? { ...each, ...update(each) } : each,
  )
}

function remove(model: Model, id: string, from: readonly Namespace[] = namespaces): void {
  for (const namespace of from) {
    model.wallets[namespace] = expectedWallets(model, namespace).filter((each) => each.id !== id)
  }
}

function setFirstWallet(model: Model, namespace: Namespace, first: ExpectedWallet): void {
  const others = expectedWallets(model, namespace).filter(({ id }) => id !== first.id)
  model.wallets[namespace] = [first, ...others]
}

/** Performs one action. Returns its description and the namespaces that it may change. */
type Action = (walk: Walk) => Promise<{ what: string; touches: readonly Namespace[] }>

const actions: readonly Action[] = [
  async function connects(walk) {
    const { random, model, latchkey } = walk
    const wallet = random.pick(wallets)
    const requested = random.chance(0.5) ? wallet.namespaces : [random.pick(wallet.namespaces)]
    const outcome = random.pick(['approve', 'approve', 'decline', 'give up'] as const)
    const attempt = new AbortController()
    const failure = getRejection(connect(latchkey, wallet.id, { namespaces: requested, signal: attempt.signal }))
    if (random.chance(0.3)) await expectSignature(walk, random.pick(namespaces))
    const connector = connectorOf(walk, wallet.id)
    if (outcome === 'approve') connector.approve()
    if (outcome === 'decline') connector.reject()
    if (outcome === 'give up') attempt.abort()
    expect((await failure) === undefined).toBe(outcome === 'approve')
    if (outcome === 'approve') {
      for (const namespace of requested) {
        if (!model.multiWallet) model.wallets[namespace] = []
        setFirstWallet(model, namespace, newWallet(wallet.id, namespace))
      }
      walk.consents.add(wallet.id)
      if (!requested.includes(model.active)) model.active = requested[0] ?? model.active
    }
    return { what: `${outcome} ${wallet.id} in ${requested.join()}`, touches: requested }
  },
  async function disconnects({ random, model, latchkey }) {
    const namespace = random.pick(namespaces)
    const one = random.chance(0.5) ? random.pick(wallets).id : undefined
    const leaving = expectedWallets(model, namespace)
      .map(({ id }) => id)
      .filter((id) => id === (one ?? id))
    for (const id of leaving) remove(model, id, id === 'phone' ? namespaces : [namespace])
    await disconnect(latchkey, { namespace, connectorId: one })
    return {
      what: `disconnect ${one ?? 'all'} of ${namespace}`,
      touches: leaving.includes('phone') ? namespaces : [namespace],
    }
  },
  async function disconnectsAll({ random, model, latchkey }) {
    if (!random.chance(0.2)) return { what: 'nothing', touches: [] }
    for (const { id } of wallets) remove(model, id)
    await disconnect(latchkey)
    return { what: 'disconnect', touches: namespaces }
  },
  async function leaves(walk) {
    const wallet = walk.random.pick(wallets)
    const whole = walk.random.chance(0.3)
    const namespace = walk.random.pick(wallet.namespaces)
    remove(walk.model, wallet.id, whole ? namespaces : [namespace])
    if (whole) walk.consents.delete(wallet.id)
    connectorOf(walk, wallet.id).leave(whole ? undefined : namespace)
    return { what: `${wallet.id} leaves`, touches: whole ? wallet.namespaces : [namespace] }
  },
  async function selectsAccounts(walk) {
    const wallet = walk.random.pick(wallets)
    const namespace = walk.random.pick(wallet.namespaces)
    const shared = walk.random.shuffle(addressesOf(wallet.id, namespace)).slice(0, 1 + walk.random.below(3))
    const { chain = 1 } = expectedWallets(walk.model, namespace).find(({ id }) => id === wallet.id) ?? {}
    updateExpectedWallet(walk.model, namespace, wallet.id, ({ accounts, account, picked }) => {
      const isKept = picked && shared[0] === accounts[0] && shared.includes(account)
      return { accounts: shared, account: isKept ? account : shared[0], picked: isKept }
    })
    const [first, ...others] = shared.map((address) => accountOf(namespace, chain, address))
    if (first !== undefined) connectorOf(walk, wallet.id).emitAccounts([first, ...others])
    return { what: `${wallet.id} shares ${shared.length} in ${namespace}`, touches: [namespace] }
  },
  async function selectsChain(walk) {
    const wallet = walk.random.pick(wallets)
    const namespace = walk.random.pick(wallet.namespaces)
    const chain = walk.random.pick([1, 2, 99])
    updateExpectedWallet(walk.model, namespace, wallet.id, () => ({ chain }))
    connectorOf(walk, wallet.id).emitChain(`${namespace}:${chain}`)
    return { what: `${wallet.id} moves to ${namespace}:${chain}`, touches: [namespace] }
  },
  async function switchesNetwork({ random, model, latchkey }) {
    const namespace = random.pick(namespaces)
    const chain = random.pick([1, 2])
    const [primary] = expectedWallets(model, namespace)
    if (primary !== undefined) updateExpectedWallet(model, namespace, primary.id, () => ({ chain }))
    model.active = namespace
    await switchNetwork(latchkey, `${namespace}:${chain}`)
    return { what: `switch to ${namespace}:${chain}`, touches: [namespace] }
  },
  async function switchesAccount({ random, model, latchkey }) {
    const namespace = random.pick(namespaces)
    if (expectedWallets(model, namespace).length === 0) return { what: 'nothing', touches: [] }
    const wallet = random.pick(expectedWallets(model, namespace))
    const account = random.pick(wallet.accounts)
    if (random.chance(0.3)) {
      switchConnection(latchkey, { namespace, connectorId: wallet.id })
      setFirstWallet(model, namespace, wallet)
    } else {
      switchAccount(latchkey, accountOf(namespace, 1, account))
      setFirstWallet(model, namespace, { ...wallet, account, picked: true })
    }
    return { what: `use ${account} of ${wallet.id} in ${namespace}`, touches: [namespace] }
  },
  async function activates({ random, model, latchkey }) {
    model.active = random.pick(namespaces)
    setActiveNamespace(latchkey, model.active)
    return { what: `show ${model.active}`, touches: [] }
  },
  async function signs(walk) {
    const namespace = walk.random.pick(namespaces)
    await expectSignature(walk, namespace)
    return { what: `sign in ${namespace}`, touches: [] }
  },
  async function reloads(walk) {
    walk.stop()
    for (const namespace of namespaces) {
      walk.model.wallets[namespace] = expectedWallets(walk.model, namespace).map((before) => ({
        ...newWallet(before.id, namespace),
        // The app restores its own selection. The wallet restores selections that were made in the wallet.
        ...(before.picked ? { account: before.account, picked: true } : {}),
      }))
    }
    Object.assign(walk, open(walk))
    await waitUntilRestored(walk.latchkey)
    return { what: 'reload', touches: namespaces }
  },
]

/** Waits until the remembered connections are restored. No step depends on the clock. */
async function waitUntilRestored({ internal: { tasks }, wallet }: Latchkey): Promise<void> {
  await expect
    .poll(() => tasks.restoring.size + Object.values(wallet.getState().namespaces).filter(isComing).length)
    .toBe(0)
  await flushTasks()
}

function isComing({ status }: { status: string }): boolean {
  return status === 'reconnecting'
}

/** Expects the primary wallet to sign with its account, or a `connection/not-connected` error without a wallet. */
async function expectSignature({ latchkey, model }: Walk, namespace: Namespace): Promise<void> {
  const [primary] = expectedWallets(model, namespace)
  if (primary === undefined) {
    expect(await getRejection(signMessage(latchkey, 'Hello', { namespace }))).toMatchObject({
      code: 'connection/not-connected',
    })
    return
  }
  const signature = await signMessage(latchkey, 'Hello', { namespace })
  expect(await verifyMessage(latchkey, 'Hello', signature, { namespace })).toBe(true)
}

/** Asserts that getters, store, storage and wallets agree with the model. */
function agree({ latchkey, model, connectors }: Walk): void {
  const state = latchkey.wallet.getState()
  expect(state.active).toBe(model.active)
  let followed = 0
  for (const namespace of namespaces) {
    const expected = expectedWallets(model, namespace)
    followed += expected.length
    expect(
      getConnections(latchkey, namespace).map(({ connectorId, account, chainId, accounts, primary }) => ({
        connectorId,
        account,
        chainId,
        accounts,
        primary,
      })),
    ).toEqual(
      expected.map(({ id, account, accounts, chain }, index) => ({
        connectorId: id,
        account: accountOf(namespace, chain, account),
        chainId: `${namespace}:${chain}`,
        accounts: accounts.map((each) => accountOf(namespace, chain, each)),
        primary: index === 0,
      })),
    )
    const [primary] = expected
    const seenDisconnects = getAccount(latchkey, namespace)
    expect(seenDisconnects.status).toBe(primary === undefined ? 'disconnected' : 'connected')
    if (seenDisconnects.status === 'connected') expect(seenDisconnects.address).toBe(primary?.account)
    expect(getAccounts(latchkey, namespace).filter(({ selected }) => selected)).toHaveLength(
      primary === undefined ? 0 : 1,
    )
    expect(
      internalsOf(latchkey)
        .memory.remembered(namespace)
        .map(({ connectorId }) => connectorId),
    ).toEqual(expected.map(({ id }) => id))
  }
  expect(internalsOf(latchkey).tasks.followed.size).toBe(followed)
  expect(internalsOf(latchkey).tasks.attempts.size).toBe(0)
  for (const [id, connector] of connectors) {
    const isUsed = namespaces.some((namespace) => expectedWallets(model, namespace).some((each) => each.id === id))
    if (isUsed) expect(connector.calls.disconnect - (seenDisconnects.get(connector) ?? 0)).toBe(0)
  }
}

const seenDisconnects = new WeakMap<FakeConnector, number>()

/** A disconnected wallet asks for permission again. */
function forgetDisconnected({ connectors, consents }: Walk): void {
  for (const [id, connector] of connectors) {
    if (connector.calls.disconnect > (seenDisconnects.get(connector) ?? 0)) consents.delete(id)
    seenDisconnects.set(connector, connector.calls.disconnect)
  }
}

/** Asserts that the state objects of untouched namespaces are identical. */
function expectUnchanged(before: WalletState, after: WalletState, touched: readonly Namespace[]): void {
  for (const namespace of namespaces) {
    if (touched.includes(namespace)) continue
    expect(after.namespaces[namespace]).toBe(before.namespaces[namespace])
    expect(after.others[namespace]).toBe(before.others[namespace])
  }
}

/** Performs a random walk. Returns the number of completed steps. */
async function walk(seed: number, multiWallet: boolean): Promise<number> {
  const random = createRandom(seed)
  const [active] = namespaces
  const model: Model = { multiWallet, active, wallets: {} }
  const base = { random, model, storage: fakeStorage(), consents: new Set<string>() }
  const path: Walk = { ...base, ...open(base) }
  const done: string[] = []
  for (let step = 0; step < steps; step += 1) {
    const { latchkey } = path
    const before = latchkey.wallet.getState()
    const { what, touches } = await random.pick(actions)(path)
    done.push(what)
    const trace = `seed ${seed}, step ${step}: ${done.slice(-8).join('; ')}`
    forgetDisconnected(path)
    try {
      expectUnchanged(before, path.latchkey.wallet.getState(), touches)
      agree(path)
    } catch (cause) {
      throw new Error(trace, { cause })
    }
  }
  path.stop()
  return done.length
}

describe('random actions in four namespaces with three wallets each', () => {
  const seeds = Array.from({ length: 3 }, (_, index) => firstSeed + index)
  const pollTimeout = { timeout: 30_000 + 100 * steps }

  test.each(seeds)(
    'no namespace changes another, and store, hooks, storage and wallets agree (seed %i) [R4.2] [R4.1.2] [R4.4] [R4.5]',
    { ...pollTimeout, tags: 'browsers' },
    async (seed) => {
      expect(await walk(seed, false)).toBe(steps)
    },
  )

  test.each(seeds)(
    'with several wallets per namespace, no namespace changes another (seed %i) [R4.2] [R4.1.2]',
    pollTimeout,
    async (seed) => {
      expect(await walk(seed, true)).toBe(steps)
    },
  )
})
