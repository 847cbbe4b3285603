import { isHex, type Hex } from 'viem'
import { createBatches, type BatchKind } from './batches.ts'
import { hexChainId, type ChainList } from './chainList.ts'
import { askChain, isRecord } from './chainRpc.ts'
import { createGrants } from './grants.ts'
import type { Permission } from './permission.ts'
import { accountOf, invalid, signWith } from './signing.ts'
import { readWalletAssets } from './walletAssets.ts'

/** What the methods of a wallet work on. */
export type WalletParts = {
  chains: ChainList
  page: Permission
  /** Whether it goes to a chain that it was just told to add. */
  switchesToAdded: boolean
  /** How it carries batches out; undefined when it takes none. */
  batches: BatchKind | undefined
  /** The tokens that it knows of on each chain; undefined when it does not tell assets. */
  tokens: Readonly<Record<number, readonly Hex[]>> | undefined
  /** Tells the page that the chain is another one, when it is. */
  tellChain(moved: boolean): void
  /** Does what changes the accounts that the page sees, and tells it. */
  change(what: () => void): void
}

/** Does a request, after all questions to the owner are settled. */
export type CarryOut = (method: string, params: unknown) => Promise<unknown>

type Methods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>

/** Makes what does the wallet's work: itself, with its keys, or by asking the chain. */
export function createMethods(parts: WalletParts): CarryOut {
  const { chains, page } = parts
  let sending: Promise<unknown> = Promise.resolve()
  // One at a time: two transactions at once would take the same nonce.
  function inTurn<result>(act: () => Promise<result>): Promise<result> {
    const done = sending.then(act)
    sending = done.catch(() => undefined)
    return done
  }
  const own: Methods = { ...accountMethods(parts), ...chainMethods(parts), ...callMethods(parts, inTurn) }

  return async (method, params) => {
    const list: readonly unknown[] = Array.isArray(params) ? params : []
    const handle = own[method]
    if (handle !== undefined) return handle(list)
    const chain = chains.current()
    if (!isSigning(method)) return askChain(chain.rpcUrl ?? '', method, params)
    return inTurn(() => signWith(page.accounts(), chain, method, list))
  }
}

/** Who the page may see, and by whose leave (EIP-2255, ERC-7715). */
function accountMethods({ page, change }: WalletParts): Methods {
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
      if (!isRecord(request) || !('eth_accounts' in request)) throw invalid('There is no such permission.')
      change(page.choose)
      return permissions()
    },
    wallet_grantPermissions([request]) {
      accountOf(page.accounts(), isRecord(request) ? request['address'] : undefined)
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

function chainMethods({ chains, switchesToAdded, tellChain }: WalletParts): Methods {
  return {
    eth_chainId: () => hexChainId(chains.current().id),
    net_version: () => String(chains.current().id),
    wallet_switchEthereumChain([parameter]) {
      tellChain(chains.switchTo(parameter))
      return null
    },
    wallet_addEthereumChain([description]) {
      const added = chains.learn(description)
      if (switchesToAdded) tellChain(chains.goTo(added))
      return null
    },
  }
}

/** What only some wallets can do: batches (EIP-5792) and assets (EIP-7811). */
function callMethods(
  { chains, page, batches, tokens }: WalletParts,
  inTurn: <result>(act: () => Promise<result>) => Promise<result>,
): Methods {
  const kept = batches === undefined ? undefined : createBatches(chains, batches, inTurn)
  const abilities = {
    atomic: { status: batches === 'atomic' ? 'supported' : 'unsupported' },
    ...(tokens === undefined ? {} : { assetDiscovery: { supported: true } }),
  }
  const sending: Methods =
    kept === undefined
      ? {}
      : {
          wallet_sendCalls: ([request]) => kept.send(request, page.accounts()),
          wallet_getCallsStatus: ([id]) => kept.status(id),
        }
  const telling: Methods =
    tokens === undefined
      ? {}
      : {
          async wallet_getAssets([request]) {
            const { account, chainFilter } = isRecord(request) ? request : {}
            const { address } = accountOf(page.accounts(), account)
            const { id, rpcUrl = '' } = chains.current()
            if (Array.isArray(chainFilter) && !chainFilter.includes(hexChainId(id))) return {}
            return { [hexChainId(id)]: await readWalletAssets(rpcUrl, address, tokens[id] ?? []) }
          },
        }
  if (kept === undefined && tokens === undefined) return {}
  return {
    ...sending,
    ...telling,
    wallet_getCapabilities([address, wanted]) {
      accountOf(page.accounts(), address)
      const ids = chains.known().map(hexChainId)
      const asked = Array.isArray(wanted) ? ids.filter((id) => wanted.some((each) => isHex(each) && each === id)) : ids
      return Object.fromEntries(asked.map((id) => [id, abilities]))
    },
  }
}

function isSigning(method: string): boolean {
  return /^(personal_sign|eth_sign|eth_signTypedData(_v\d)?|eth_sendTransaction|wallet_\w+)$/.test(method)
}
