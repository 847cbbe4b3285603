import { addresses, startChains, waitUntilMined, type LocalChains } from '@latchkey/devnet'
import { createTestClient, encodeFunctionData, http, parseAbi, publicActions, walletActions } from 'viem'
import { createChainRpc, type ChainRpc } from '../kit/chain/chainRpc.ts'
import { createEndpointPool } from '../kit/chain/endpointPool.ts'
import { systemClock } from '../kit/runtime/clock.ts'
import type { Hex } from '../indexer/block.ts'
import type { TransactionReference } from '../indexer/requested/createLogRequests.ts'

const abi = parseAbi(['function transfer(address to, uint256 amount)'])
const [sender] = addresses

/** A local chain on which a test sends payments and tokens. */
export type TransferChain = {
  rpcUrl: string
  rpc: ChainRpc
  /** The account that sends. */
  sender: Hex
  head(): Promise<number>
  /** Sends native currency. */
  pay(to: Hex, value?: bigint): Promise<TransactionReference>
  /** Sends tokens. */
  sendToken(to: Hex, amount?: bigint): Promise<TransactionReference>
  mine(blocks: number): Promise<void>
  snapshot(): Promise<Hex>
  revert(id: Hex): Promise<void>
  close(): Promise<void>
}

/** Starts the chain. */
export async function startTransferChain(): Promise<TransferChain> {
  const world: LocalChains = await startChains()
  const [{ rpcUrl, tokens }] = world.chains
  const token = tokens[0]?.address ?? '0x'
  const node = createTestClient({ mode: 'anvil', account: sender, transport: http(rpcUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)

  async function send(to: Hex, value: bigint, data?: Hex): Promise<TransactionReference> {
    const hash = await node.sendTransaction({ chain: null, to, value, data })
    await waitUntilMined(node, hash)
    const { blockNumber } = await node.getTransactionReceipt({ hash })
    return { block: Number(blockNumber), hash }
  }

  return {
    rpcUrl,
    rpc: createChainRpc(createEndpointPool([rpcUrl], systemClock)),
    sender: sender.toLowerCase() as Hex,
    head: async () => Number(await node.getBlockNumber({ cacheTime: 0 })),
    pay: (to, value = 1n) => send(to, value),
    sendToken: (to, amount = 1n) =>
      send(token, 0n, encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] })),
    mine: (blocks) => node.mine({ blocks }),
    snapshot: () => node.snapshot(),
    revert: async (id) => void (await node.revert({ id })),
    close: () => world.close(),
  }
}
