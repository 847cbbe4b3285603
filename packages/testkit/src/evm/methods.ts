import { isHex, type Hex } from 'viem'
import { isRecord } from '@latchkey/protocol'
import { createBatches, type BatchKind } from './batches.ts'
import { hexChainId, type ChainList } from './chainList.ts'
import { requestChain } from './requestChain.ts'
import { createGrants } from './grants.ts'
import type { Permission } from './permission.ts'
import { findAuthorizedAccount, invalidParams, signEvmRequest } from './signing.ts'
import { readWalletAssets } from './walletAssets.ts'

/** The dependencies of a wallet's methods. */
export type WalletDependencies = {
  chains: ChainList
  page: Permission
  /** True if the wallet switches to a chain after adding it. */
  switchesToAdded: boolean
  /** The execution of call batches. Undefined if the wallet does not support them. */
  batches: BatchKind | undefined
  /** The tokens to list on each chain. Undefined if the wallet does not list assets. */
  tokens: Readonly<Record<number, readonly Hex[]>> | undefined
  /** Emits `chainChanged` if the chain changed. */
  emitChain(moved: boolean): void
  /** Applies a change, then emits `accountsChanged` if the visible accounts changed. */
  change(what: () => void): void
}

/** Executes a request after the owner approved it. */
export type RequestHandler = (method: string, params: unknown) => Promise<unknown>

type Methods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>

/** Creates the request handler. It uses wallet state, the keys or the chain, depending on the method. */
export function createMethods(dependencies: WalletDependencies): RequestHandler {
  const { chains, page } = dependencies
  let sending: Promise<unknown> = Promise.resolve()
  // Concurrent transactions would use the same nonce.
  function inTurn<result>(act: () => Promise<result>): Promise<result> {
    const done = sending.then(act)
    sending = done.catch(() => undefined)
    return done
  }
  const own: Methods = {
    ...accountMethods(dependencies),
    ...chainMethods(dependencies),
    ...callMethods(dependencies, inTurn),
  }

  return async (method, params) => {
    const list: readonly unknown[] = Array.isArray(params) ? params : []
    const handle = own[method]
    if (handle !== undefined) return handle(list)
    const chain = chains.current()
    if (!isSigning(method)) return requestChain(chain.rpcUrl ?? '', method, params)
    return inTurn(() => signEvmRequest(page.accounts(), chain, method, list))
  }
}

/** Account access and permissions (EIP-2255, ERC-7715). */
function accountMethods({ page, change }: WalletDependencies): Methods {
  const grants = createGrants()
  const permissions = (): object[] => {
    const value = page.permitted()
    const caveats = [{ type: 'restrictReturnedAccounts', value }]
    return value.length === 0 ? [] : [{ parentCapability: 'eth_accounts', caveats }]
  }
  return {
    eth_requestAccounts: () => page.grant(),
    eth_accounts: () => page.addresses(),
    wallet_getPermissions: permissions,
    wallet_requestPermissions([request]) {
      if (!isRecord(request) || !('eth_accounts' in request)) throw invalidParams('There is no such permission.')
      change(page.choose)
      return permissions()
    },
    wallet_grantPermissions([request]) {
      findAuthorizedAccount(page.accounts(), isRecord(request) ? request['address'] : undefined)
      return [grants.grant(request)]
    },
    wallet_revokePermissions([request]) {
      const context = isRecord(request) ? request['permissionContext'] : undefined
      if (typeof context === 'string') grants.revoke(context)
      else change(page.revoke)
      return null
    },
  }
}

function chainMethods({ chains, switchesToAdded, emitChain }: WalletDependencies): Methods {
  return {
    eth_chainId: () => hexChainId(chains.current().id),
    net_version: () => String(chains.current().id),
    wallet_switchEthereumChain([parameter]) {
      emitChain(chains.switchTo(parameter))
      return null
    },
    wallet_addEthereumChain([description]) {
      const added = chains.learn(description)
      if (switchesToAdded) emitChain(chains.goTo(added))
      return null
    },
  }
}

/** Optional capabilities: call batches (EIP-5792) and assets (EIP-7811). */
function callMethods(
  { chains, page, batches, tokens }: WalletDependencies,
  inTurn: <result>(act: () => Promise<result>) => Promise<result>,
): Methods {
  const ownBatches = batches === undefined ? undefined : createBatches(chains, batches, inTurn)
  const abilities = {
    atomic: { status: batches === 'atomic' ? 'supported' : 'unsupported' },
    ...(tokens === undefined ? {} : { assetDiscovery: { supported: true } }),
  }
  const sending: Methods =
    ownBatches === undefined
      ? {}
      : {
          wallet_sendCalls: ([request]) => ownBatches.send(request, page.accounts()),
          wallet_getCallsStatus: ([id]) => ownBatches.status(id),
        }
  const telling: Methods =
    tokens === undefined
      ? {}
      : {
          async wallet_getAssets([request]) {
            const { account, chainFilter } = isRecord(request) ? request : {}
            const { address } = findAuthorizedAccount(page.accounts(), account)
            const { id, rpcUrl = '' } = chains.current()
            if (Array.isArray(chainFilter) && !chainFilter.includes(hexChainId(id))) return {}
            return { [hexChainId(id)]: await readWalletAssets(rpcUrl, address, tokens[id] ?? []) }
          },
        }
  if (ownBatches === undefined && tokens === undefined) return {}
  return {
    ...sending,
    ...telling,
    wallet_getCapabilities([address, wanted]) {
      findAuthorizedAccount(page.accounts(), address)
      const ids = chains.known().map(hexChainId)
      const requested = Array.isArray(wanted)
        ? ids.filter((id) => wanted.some((each) => isHex(each) && each === id))
        : ids
      return Object.fromEntries(requested.map((id) => [id, abilities]))
    },
  }
}

function isSigning(method: string): boolean {
  return /^(personal_sign|eth_sign|eth_signTypedData(_v\d)?|eth_sendTransaction|wallet_\w+)$/.test(method)
}
