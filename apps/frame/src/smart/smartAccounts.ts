import type { Hex } from 'viem'
import { isAddress } from '../approve/evm/parseQuantity.ts'
import type { CheckedRequest } from '../approve/approval.ts'
import { getApprovedAccount, chainNumberOf } from '../approve/checkRequest.ts'
import type { Chain } from '../chain/chain.ts'
import type { FrameConfig, FrameNetwork } from '../frameConfig.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import { smartAddress } from './smartAddress.ts'
import type { OperationDependencies } from './planOperation.ts'
import { openSmartAccount, type SmartAccount } from './smartAccount.ts'
import { createSmartClient, type SmartClient } from './smartClient.ts'

export type SmartAccountsDependencies = {
  readonly config: Pick<FrameConfig, 'networks' | 'server'>
  readonly chain: Chain
  readonly holder: Pick<KeyHolder, 'sign'>
  /** Returns the address of the wallet's eip155 key, or `undefined` without a login. */
  owner(): Promise<string | undefined>
}

/** An open smart account and the access to its network. */
export type OpenSmartAccount = OperationDependencies & {
  readonly client: SmartClient
  readonly account: SmartAccount
  readonly network: FrameNetwork
}

/** Smart accounts of the wallet's key. */
export type SmartAccounts = {
  /** Returns `undefined` if the network has no smart accounts, or without a login. Sends no request. */
  addressOn(network: FrameNetwork): Promise<Hex | undefined>
  /** Returns all smart accounts of the wallet, to detect requests that only they may make. */
  all(): Promise<readonly Hex[]>
  open(network: FrameNetwork): Promise<OpenSmartAccount | undefined>
  /**
   * Returns the smart account of a request, or `undefined` if it is about the key's own account.
   *
   * @param from the page's value. Default: the page's first account.
   * @throws RpcError 4100 for an account that was not granted to the page
   */
  ofRequest(checked: CheckedRequest, from: unknown): Promise<OpenSmartAccount | undefined>
}

/** Creates the access to smart accounts. Each is opened once. */
export function createSmartAccounts({ config, chain, holder, owner }: SmartAccountsDependencies): SmartAccounts {
  const opened = new Map<string, Promise<OpenSmartAccount>>()

  async function addressOn({ smartAccounts }: FrameNetwork): Promise<Hex | undefined> {
    const key = await owner()
    return smartAccounts === undefined || !isAddress(key) ? undefined : smartAddress(key, smartAccounts.factory)
  }
  async function openOn(network: FrameNetwork, key: Hex): Promise<OpenSmartAccount> {
    const { smartAccounts, chainId } = network
    if (smartAccounts === undefined) throw new Error('The network has no smart accounts.')
    const client = createSmartClient(chain, network)
    const { entryPoint, factory, sponsored } = smartAccounts
    const account = await openSmartAccount({
      client,
      chainId: chainNumberOf(network),
      entryPoint,
      factory,
      owner: key,
      holder,
    })
    return { client, chain, chainId, account, sponsored, network }
  }
  async function open(network: FrameNetwork): Promise<OpenSmartAccount | undefined> {
    const key = await owner()
    if (network.smartAccounts === undefined || !isAddress(key)) return undefined
    const name = `${network.chainId} ${key}`
    const found = opened.get(name) ?? openOn(network, key)
    opened.set(name, found)
    return found
  }

  return {
    addressOn,
    open,
    async all() {
      const found = await Promise.all(config.networks.map(addressOn))
      return [...new Set(found.filter((each) => each !== undefined))]
    },
    async ofRequest(checked, from) {
      const address = await addressOn(checked.network)
      const own = getApprovedAccount(checked, isAddress(from) ? from : undefined)
      return own.toLowerCase() === address?.toLowerCase() ? open(checked.network) : undefined
    },
  }
}
