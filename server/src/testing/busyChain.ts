import { getField } from '../kit/runtime/getField.ts'
import { startRpcNode, type RpcNode } from './rpcNode.ts'

/** A chain whose blocks are full of token transfers, behind a real HTTP endpoint. */
export type BusyChain = RpcNode & {
  /** Number of complete downloads of each block. */
  downloads(): ReadonlyMap<number, number>
  /** Bytes of all responses. */
  bytes(): number
}

export type BusyChainOptions = {
  head: number
  transactions?: number
  /** The most requests that a batch may contain. */
  maxBatch?: number
  /** Runs before each response to a batch of blocks. */
  beforeBlocks?: (first: number) => Promise<void> | void
}

const hashOf = (number: number): string => `0x${(number + 1).toString(16).padStart(64, '0')}`
const toQuantity = (value: number): string => `0x${value.toString(16)}`
const createAddress = (seed: number): string => `0x${seed.toString(16).padStart(40, '1')}`
const bloom = `0x${'0'.repeat(512)}`
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** The address that receives every hundredth transfer. */
const busyReceiver: `0x${string}` = `0x${'ab'.repeat(20)}`
const marks = { number: '"@number"', hash: '"@hash"', parent: '"@parent"', time: '"@time"' } as const

/**
 * Starts the chain. Its blocks have the size of blocks of Ethereum mainnet. Requests for logs find nothing, as for addresses
 * without transfers.
 */
export async function startBusyChain({
  head,
  transactions = 170,
  maxBatch = Number.POSITIVE_INFINITY,
  beforeBlocks = () => undefined,
}: BusyChainOptions): Promise<BusyChain> {
  const templates = createTemplates(transactions)
  const downloads = new Map<number, number>()
  let bytes = 0

  function respondTo(request: unknown): string {
    const method = getField(request, 'method')
    const params = getField(request, 'params') as readonly unknown[]
    const number = params[0] === 'latest' ? head : Number(params[0])
    const template = method === 'eth_getBlockReceipts' ? templates.receipts : templates.block
    const result =
      method === 'eth_chainId'
        ? '"0x1"'
        : method === 'eth_getLogs'
          ? '[]'
          : params[1] === false
            ? JSON.stringify({ number: toQuantity(number), hash: hashOf(number), parentHash: hashOf(number - 1) })
            : template(number)
    if (method === 'eth_getBlockReceipts') downloads.set(number, (downloads.get(number) ?? 0) + 1)
    return `{"jsonrpc":"2.0","id":${String(getField(request, 'id'))},"result":${result}}`
  }

  const node = await startRpcNode((body, response) => {
    const requests: readonly unknown[] = Array.isArray(body) ? body : [body]
    if (requests.length > maxBatch) {
      return { jsonrpc: '2.0', id: null, error: { code: -32_600, message: `more than ${maxBatch} requests` } }
    }
    const first = Number((getField(requests[0], 'params') as readonly unknown[])[0])
    void Promise.resolve(beforeBlocks(first)).then(() => {
      const texts = requests.map(respondTo)
      const text = Array.isArray(body) ? `[${texts.join(',')}]` : (texts[0] ?? '')
      bytes += text.length
      response.setHeader('content-type', 'application/json').end(text)
    })
    return undefined
  })
  return { ...node, downloads: () => downloads, bytes: () => bytes }
}

type Template = (number: number) => string

/** Only the numbers and hashes differ between blocks, so that the upstream costs little next to its reader. */
function createTemplates(count: number): { block: Template; receipts: Template } {
  const positions = Array.from({ length: count }, (_, position) => position)
  const receipts = positions.map(createTransferReceipt)
  const block = {
    number: '@number',
    hash: '@hash',
    parentHash: '@parent',
    timestamp: '@time',
    logsBloom: bloom,
    transactions: positions.map(createTokenTransfer),
  }
  return { block: createTemplate(JSON.stringify(block)), receipts: createTemplate(JSON.stringify(receipts)) }
}

const token = createAddress(7)
const senderOf = (position: number): string => createAddress(1_000 + position)
const receiverOf = (position: number): string => (position % 100 === 0 ? busyReceiver : createAddress(5_000 + position))
const transferHashOf = (position: number): string => hashOf(1_000_000 + position)
const toWord = (address: string): string => address.slice(2).padStart(64, '0')

function createTokenTransfer(position: number): object {
  return {
    blockHash: '@hash',
    blockNumber: '@number',
    from: senderOf(position),
    gas: '0x186a0',
    gasPrice: '0x3b9aca00',
    maxFeePerGas: '0x3b9aca00',
    maxPriorityFeePerGas: '0x3b9aca00',
    hash: transferHashOf(position),
    input: `0xa9059cbb${toWord(receiverOf(position))}${'1'.padStart(64, '0')}`,
    nonce: toQuantity(position),
    to: token,
    transactionIndex: toQuantity(position),
    value: '0x0',
    type: '0x2',
    accessList: [],
    chainId: '0x1',
    v: '0x1',
    r: hashOf(3),
    s: hashOf(4),
    yParity: '0x1',
  }
}

function createTransferReceipt(position: number): object {
  return {
    blockHash: '@hash',
    blockNumber: '@number',
    contractAddress: null,
    cumulativeGasUsed: '0x186a0',
    effectiveGasPrice: '0x3b9aca00',
    from: senderOf(position),
    gasUsed: '0x186a0',
    logs: Array.from({ length: 2 }, (_, log) => ({
      address: token,
      topics: [transferTopic, `0x${toWord(senderOf(position))}`, `0x${toWord(receiverOf(position))}`],
      data: `0x${'1'.padStart(64, '0')}`,
      blockHash: '@hash',
      blockNumber: '@number',
      transactionHash: transferHashOf(position),
      transactionIndex: toQuantity(position),
      logIndex: toQuantity(2 * position + log),
      removed: false,
    })),
    logsBloom: bloom,
    status: '0x1',
    to: token,
    transactionHash: transferHashOf(position),
    transactionIndex: toQuantity(position),
    type: '0x2',
  }
}

function createTemplate(text: string): Template {
  const pieces = text.split(/("@(?:number|hash|parent|time)")/)
  return (number) => {
    const values: Readonly<Record<string, string>> = {
      [marks.number]: `"${toQuantity(number)}"`,
      [marks.hash]: `"${hashOf(number)}"`,
      [marks.parent]: `"${hashOf(number - 1)}"`,
      [marks.time]: `"${toQuantity(1_700_000_000 + 12 * number)}"`,
    }
    return pieces.map((piece) => values[piece] ?? piece).join('')
  }
}
