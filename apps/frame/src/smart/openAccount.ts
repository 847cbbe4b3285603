import type { Hex } from 'viem'
import { isAddress } from '../approve/evm/hex.ts'
import type { Asked } from '../approve/approval.ts'
import { accountOf, numberOf } from '../approve/asked.ts'
import type { Chain } from '../chain/chain.ts'
import type { FrameConfig, FrameNetwork } from '../config.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import { smartAddress } from './accountAddress.ts'
import type { OperationParts } from './operations.ts'
import { openSmartAccount, type SmartAccount } from './smartAccount.ts'
import { createSmartClient, type SmartClient } from './smartClient.ts'

export type OpeningParts = {
  readonly config: Pick<FrameConfig, 'networks' | 'server'>
  readonly chain: Chain
  readonly holder: Pick<KeyHolder, 'sign'>
  /** The address of the wallet's key of eip155; undefined when nobody is logged in. */
  owner(): Promise<string | undefined>
}

/** A smart account, and how its network is asked. */
export type Opened = OperationParts & {
  readonly client: SmartClient
  readonly account: SmartAccount
  readonly network: FrameNetwork
}

/** Opens smart accounts of the wallet's key. */
export type Accounts = {
  /** Undefined where the network has none, or nobody is logged in. Nothing is asked of the network. */
  addressOn(network: FrameNetwork): Promise<Hex | undefined>
  /** All of the wallet's own, so that nothing is signed that only they would ask for. */
  all(): Promise<readonly Hex[]>
  open(network: FrameNetwork): Promise<Opened | undefined>
  /**
   * The account that a request is about, where it is the smart one; undefined where it is the key's own.
   *
   * @param from as the page wrote it; the page's first account when left out
   * @throws RpcError 4100 for an account that the page was not given
   */
  ofRequest(asked: Asked, from: unknown): Promise<Opened | undefined>
}

/** Makes what opens smart accounts; each is opened once. */
export function createAccounts({ config, chain, holder, owner }: OpeningParts): Accounts {
  const opened = new Map<string, Promise<Opened>>()

  async function addressOn({ smartAccounts }: FrameNetwork): Promise<Hex | undefined> {
    const key = await owner()
    return smartAccounts === undefined || !isAddress(key) ? undefined : smartAddress(key, smartAccounts.factory)
  }
  async function openOn(network: FrameNetwork, key: Hex): Promise<Opened> {
    const { smartAccounts, chainId } = network
    if (smartAccounts === undefined) throw new Error('The network has no smart accounts.')
    const client = createSmartClient(chain, network)
    const { entryPoint, factory, sponsored } = smartAccounts
    const account = await openSmartAccount({
      client,
      chainId: numberOf(network),
      entryPoint,
      factory,
      owner: key,
      holder,
    })
    return { client, chain, chainId, account, sponsored, network }
  }
  async function open(network: FrameNetwork): Promise<Opened | undefined> {
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
    async ofRequest(asked, from) {
      const address = await addressOn(asked.network)
      const own = accountOf(asked, isAddress(from) ? from : undefined)
      return own.toLowerCase() === address?.toLowerCase() ? open(asked.network) : undefined
    },
  }
}
