import { Messenger } from '@metamask/base-controller'
import {
  Caip25CaveatType,
  Caip25EndowmentPermissionName,
  caip25CaveatBuilder,
  caip25EndowmentBuilder,
  getEthAccounts,
  setEthAccounts,
  setPermittedEthChainIds,
  type Caip25CaveatValue,
} from '@metamask/chain-agnostic-permission'
import {
  getPermissionsHandler,
  requestPermissionsHandler,
  revokePermissionsHandler,
} from '@metamask/eip1193-permission-middleware'
import { createAsyncMiddleware, JsonRpcEngine, type JsonRpcMiddleware } from '@metamask/json-rpc-engine'
import { createEngineStream } from '@metamask/json-rpc-middleware-stream'
import { PermissionController } from '@metamask/permission-controller'
import { initializeProvider } from '@metamask/providers'
import type { Json, JsonRpcParams } from '@metamask/utils'
import type { SimulatedExtension } from '@latchkey/testkit'
import { numberToHex, type Hex } from 'viem'

const origin = 'https://dapp.example'
const icon = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E'

type Middleware = JsonRpcMiddleware<JsonRpcParams, Json>
type Permissions = Parameters<PermissionController<never, never>['requestPermissions']>[1]

/** An error with a code, as MetaMask throws it. */
const failure = (code: number, message: string): Error => Object.assign(new Error(message), { code })

export type MetaMaskOptions = {
  /** Holds the keys, and forwards requests to a node. */
  keys: SimulatedExtension
  accounts: readonly Hex[]
  /** The ids of the networks that the wallet knows; the first is selected. */
  chains: readonly number[]
  /** The error for a network that the wallet does not know. Default: 4902, as EIP-3326 defines it. */
  unknownChain?: { code: number; message: string }
}

/** The decisions of the user, and the state of the wallet. */
type State = {
  chain: number
  readonly known: number[]
  isLocked: boolean
  chosen: readonly Hex[]
  rejects: boolean
  /** Called once the wallet is unlocked. */
  readonly waiting: (() => void)[]
}

type Permitted = ReturnType<typeof createPermitted>
type Notify = (method: string, params: Json) => void

/**
 * Starts the published parts of MetaMask: the provider that it injects into the page, its permission controller with the
 * CAIP-25 permission, and its handlers for permissions (MIT). Keys, networks and the user's decisions are ours. The provider
 * announces itself (EIP-6963) on the global `window`.
 */
export function startMetaMaskExtension(options: MetaMaskOptions) {
  const { accounts, chains } = options
  const state: State = {
    chain: chains[0] ?? 1,
    known: [...chains],
    isLocked: false,
    chosen: accounts.slice(0, 1),
    rejects: false,
    waiting: [],
  }
  const engine = new JsonRpcEngine()
  const notify: Notify = (method, params) => void engine.emit('notification', { jsonrpc: '2.0', method, params })
  const permitted = createPermitted(accounts, state, notify)
  engine.push(handlePermissions(permitted))
  const handle = createHandler(options, state, permitted, notify)
  engine.push(
    createAsyncMiddleware(async ({ method, params }, response) => {
      response.result = (await handle(method, params)) as Json
    }) as Middleware,
  )
  const provider = initializeProvider({
    connectionStream: createEngineStream({ engine }) as Parameters<typeof initializeProvider>[0]['connectionStream'],
    logger: { debug() {}, error() {}, info() {}, log() {}, trace() {}, warn() {} },
    providerInfo: { uuid: crypto.randomUUID(), name: 'MetaMask', rdns: 'io.metamask', icon },
    shouldSendMetadata: false,
    shouldSetOnWindow: false,
  })
  return {
    provider,
    permissions: () => Object.keys(permitted.controller.getPermissions(origin) ?? {}),
    /** Decides the next requests of the user. */
    decide: (decision: 'approve' | 'reject') => void (state.rejects = decision === 'reject'),
    chooseAccounts: (...next: Hex[]) => void (state.chosen = next),
    lock: () => permitted.change(() => void (state.isLocked = true)),
    unlock() {
      permitted.change(() => void (state.isLocked = false))
      state.waiting.splice(0).forEach((resume) => resume())
    },
    /** The user disconnects the site in the wallet. */
    revoke: () => permitted.change(() => permitted.controller.revokeAllPermissions(origin)),
    switchChain: (id: number) => switchChain(state, notify, id),
  }
}

/** The permission of the site, and the functions that change it and notify the page. */
function createPermitted(accounts: readonly Hex[], state: State, notify: Notify) {
  const controller = createController(accounts, approve)

  async function approve(requested: Permissions): Promise<Permissions> {
    if (state.isLocked) await new Promise<void>((resolve) => state.waiting.push(resolve))
    if (state.rejects) throw failure(4001, 'User rejected the request.')
    const chainIds = state.known.map((id) => numberToHex(id))
    return toPermission(
      setEthAccounts(setPermittedEthChainIds(caveatOf(requested) ?? noScopes, chainIds), [...state.chosen]),
    )
  }
  function list({ ignoreLock = false } = {}): Hex[] {
    const value = caveatOf(controller.getPermissions(origin))
    return value === undefined || (state.isLocked && !ignoreLock) ? [] : (getEthAccounts(value) as Hex[])
  }
  function reportSince(before: string): void {
    if (list().join() !== before) notify('metamask_accountsChanged', list())
  }
  return {
    controller,
    list,
    async request(requested: Permissions) {
      const before = list().join()
      const granted = await controller.requestPermissions({ origin }, requested)
      reportSince(before)
      return granted
    },
    change(run: () => void): void {
      const before = list().join()
      run()
      reportSince(before)
    },
  }
}

function switchChain(state: State, notify: Notify, id: number): null {
  state.chain = id
  notify('metamask_chainChanged', networkOf(state))
  return null
}

function networkOf({ chain }: State) {
  return { chainId: numberToHex(chain), networkVersion: String(chain), isConnected: true }
}

/** The methods besides those of permissions. */
function createHandler(
  {
    keys,
    unknownChain = { code: 4902, message: 'Unrecognized chain ID. Try adding the chain first.' },
  }: MetaMaskOptions,
  state: State,
  permitted: Permitted,
  notify: Notify,
): (method: string, params: unknown) => Promise<unknown> {
  const chainIn = (params: unknown): number => Number(Reflect.get(Object(Reflect.get(Object(params), 0)), 'chainId'))
  return async (method, params) => {
    switch (method) {
      case 'metamask_getProviderState':
        return { accounts: permitted.list(), ...networkOf(state) }
      case 'eth_chainId':
        return numberToHex(state.chain)
      case 'eth_accounts':
        return permitted.list()
      case 'eth_requestAccounts':
        if (permitted.list().length === 0) await permitted.request(toPermission(noScopes))
        return permitted.list()
      case 'wallet_switchEthereumChain':
        if (!state.known.includes(chainIn(params))) throw failure(unknownChain.code, unknownChain.message)
        if (state.rejects) throw failure(4001, 'User rejected the request.')
        return switchChain(state, notify, chainIn(params))
      case 'wallet_addEthereumChain':
        state.known.push(chainIn(params))
        return switchChain(state, notify, chainIn(params))
      case 'personal_sign':
      case 'eth_sendTransaction':
        if (permitted.list().length === 0) {
          throw failure(4100, 'The requested account and/or method has not been authorized by the user.')
        }
        if (state.rejects) throw failure(4001, 'MetaMask Tx Signature: User denied transaction signature.')
        return keys.request({ method, params })
      default:
        return keys.request({ method, params })
    }
  }
}

const noScopes: Caip25CaveatValue = {
  requiredScopes: {},
  optionalScopes: { 'wallet:eip155': { accounts: [] } },
  sessionProperties: {},
  isMultichainOrigin: false,
} as Caip25CaveatValue

function toPermission(value: Caip25CaveatValue): Permissions {
  return { [Caip25EndowmentPermissionName]: { caveats: [{ type: Caip25CaveatType, value: value as unknown as Json }] } }
}

function caveatOf(permissions: unknown): Caip25CaveatValue | undefined {
  const caveats: unknown = Reflect.get(
    Object(Reflect.get(Object(permissions), Caip25EndowmentPermissionName)),
    'caveats',
  )
  return Array.isArray(caveats) ? caveats[0]?.value : undefined
}

/** Creates the permission controller, which asks the user through a function. */
function createController(accounts: readonly Hex[], approve: (requested: Permissions) => Promise<Permissions>) {
  // The controller calls two actions of other controllers. Their names are not in the types of an untyped messenger.
  const messenger = new Messenger<never, never>() as unknown as {
    registerActionHandler(name: string, handler: (...args: never[]) => unknown): void
    getRestricted(options: object): ConstructorParameters<typeof PermissionController>[0]['messenger']
  }
  const actions = [
    'ApprovalController:addRequest',
    'ApprovalController:hasRequest',
    'ApprovalController:acceptRequest',
    'ApprovalController:rejectRequest',
    'SubjectMetadataController:getSubjectMetadata',
  ]
  for (const action of actions.slice(1)) messenger.registerActionHandler(action, () => undefined)
  messenger.registerActionHandler(
    'ApprovalController:addRequest',
    async ({ requestData }: { requestData: { metadata: object; permissions: Permissions } }) => ({
      metadata: requestData.metadata,
      permissions: await approve(requestData.permissions),
    }),
  )
  const caveat = caip25CaveatBuilder({
    findNetworkClientIdByChainId: () => 'client',
    listAccounts: () => accounts.map((address) => ({ type: 'eip155:eoa', address })),
    isNonEvmScopeSupported: () => false,
    getNonEvmAccountAddresses: () => [],
  })
  return new PermissionController({
    messenger: messenger.getRestricted({ name: 'PermissionController', allowedActions: actions, allowedEvents: [] }),
    caveatSpecifications: { [Caip25CaveatType]: caveat },
    permissionSpecifications: { [Caip25EndowmentPermissionName]: caip25EndowmentBuilder.specificationBuilder({}) },
    unrestrictedMethods: [],
  })
}

/** The handlers of MetaMask for `wallet_requestPermissions`, `wallet_revokePermissions` and `wallet_getPermissions`. */
function handlePermissions({ controller, list, request, change }: Permitted): Middleware {
  const revoke = (name: string): void => {
    // MetaMask responds with success if there is nothing to revoke.
    if (controller.hasPermission(origin, name)) controller.revokePermission(origin, name)
  }
  const hooks = {
    getAccounts: list,
    requestPermissionsForOrigin: request,
    getCaip25PermissionFromLegacyPermissionsForOrigin: () => toPermission(noScopes),
    getPermissionsForOrigin: () => controller.getPermissions(origin),
    revokePermissionsForOrigin: (names: readonly string[]) => change(() => names.forEach(revoke)),
  }
  const handlers = [requestPermissionsHandler, revokePermissionsHandler, getPermissionsHandler]
  return (asked, response, next, end) => {
    const handler = handlers.find(({ methodNames }) => (methodNames as string[]).includes(asked.method))
    if (handler === undefined) return next()
    const run = handler.implementation as (...args: unknown[]) => unknown
    // A rejection of the user leaves the handler as a rejected promise.
    Promise.resolve(run(asked, response, next, end, hooks)).catch((error: Error) => end(error))
  }
}
