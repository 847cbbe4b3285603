import type { FastifyBaseLogger } from 'fastify'
import type { ChainRpc } from '../kit/chainRpc.ts'
import { touched, type Block, type Hex } from './block.ts'
import { BadBlock, readBlock } from './readBlock.ts'
import type { IndexStore, Standing } from './store.ts'

export type FollowParts = {
  caip: string
  rpc: ChainRpc
  store: IndexStore
  log: FastifyBaseLogger
  /** The block to begin with, on a chain that was never indexed. */
  first: number
  /** Called with everybody whom blocks that came in concern; with nothing when blocks were taken back, which may concern all. */
  changed(concerned: readonly Hex[] | undefined): void
  /** How many blocks are fetched by one question. */
  blocksPerFetch?: number
}

/** The index of one chain, kept up with the chain. */
export type Follower = {
  /**
   * Brings in what is new, as far as one look at the chain goes.
   *
   * @returns the chain's head and the index's
   */
  catchUp(signal: AbortSignal): Promise<{ target: number; head: number }>
}

const perFetch = 40

/** Follows a chain: in order, without gaps, and back to where both agree when the chain changed its mind. */
export function followChain({
  caip,
  rpc,
  store,
  log,
  first,
  changed,
  blocksPerFetch = perFetch,
}: FollowParts): Follower {
  async function fetchBlocks(from: number, to: number): Promise<readonly Block[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    const answers = await rpc.ask(
      numbers.flatMap((number) => {
        const quantity = `0x${number.toString(16)}`
        return [
          ['eth_getBlockByNumber', [quantity, true]],
          ['eth_getBlockReceipts', [quantity]],
        ] as const
      }),
    )
    return numbers.map((number, index) => readBlock(number, answers[2 * index], answers[2 * index + 1]))
  }

  /** The first place where blocks do not follow each other, or the index: the chain changed in between. */
  async function firstBreak({ chain, head, first: begin }: Standing, blocks: readonly Block[]): Promise<number> {
    const before = head < begin ? undefined : await store.hashAt(chain, head)
    return blocks.findIndex(({ parent }, index) => {
      const expected = index === 0 ? before : blocks[index - 1]?.hash
      return expected !== undefined && parent !== expected
    })
  }

  /** Looks back in growing steps for a block that the index and the chain agree on. */
  async function agreed({ chain, head, first: begin }: Standing): Promise<number> {
    for (let step = 1, at = head - 1; at >= begin; at -= step, step *= 2) {
      const [told] = await rpc.ask([['eth_getBlockByNumber', [`0x${at.toString(16)}`, false]]])
      const there = typeof told === 'object' && told !== null ? Reflect.get(told, 'hash') : undefined
      if (typeof there === 'string' && there.toLowerCase() === (await store.hashAt(chain, at))) return at
    }
    return begin - 1
  }

  async function rewind(at: Standing, to: number): Promise<Standing> {
    log.warn({ chain: caip, from: at.head, to }, 'the chain was reorganised')
    await store.rewind(at.chain, to)
    changed(undefined)
    return { ...at, head: to }
  }

  async function bringIn(at: Standing, to: number, target: number, next: Fetched): Promise<Standing> {
    const blocks = await next
    const broken = await firstBreak(at, blocks)
    if (broken === 0) return rewind(at, await agreed(at))
    const good = broken === -1 ? blocks : blocks.slice(0, broken)
    await store.add(at.chain, good, target)
    changed([...new Set(good.flatMap(({ transactions }) => transactions.flatMap((each) => [...touched(each)])))])
    return { ...at, head: broken === -1 ? to : at.head + good.length }
  }

  return {
    async catchUp(signal) {
      const latest = await latestOf(rpc)
      // Read anew, because another process may have been at it meanwhile.
      let standing = await store.open(caip, first)
      if (latest.number <= standing.head) return { target: latest.number, head: await stay(standing, latest) }
      const target = latest.number
      const end = (from: number): number => Math.min(from + blocksPerFetch - 1, target)
      let ahead: { from: number; blocks: Fetched } | undefined
      while (standing.head < target && !signal.aborted) {
        const from = standing.head + 1
        const to = end(from)
        const blocks = ahead?.from === from ? ahead.blocks : fetchBlocks(from, to)
        // While these are written, the next ones are on their way.
        ahead = to < target ? { from: to + 1, blocks: quietly(fetchBlocks(to + 1, end(to + 1))) } : undefined
        standing = await bringIn(standing, to, target, blocks)
      }
      return { target, head: standing.head }
    },
  }

  /** A node that is behind changes nothing; one that has another block there knows of a reorganisation. */
  async function stay(standing: Standing, { number, hash }: Latest): Promise<number> {
    if (number < standing.first || (await store.hashAt(standing.chain, number)) === hash) return standing.head
    return (await rewind(standing, await agreed({ ...standing, head: number }))).head
  }
}

type Latest = { number: number; hash: string }

type Fetched = Promise<readonly Block[]>

/** It may be thrown away before anybody looks whether it failed. */
function quietly(fetched: Fetched): Fetched {
  fetched.catch(() => undefined)
  return fetched
}

async function latestOf(rpc: ChainRpc): Promise<Latest> {
  const [told] = await rpc.ask([['eth_getBlockByNumber', ['latest', false]]])
  const { number, hash } = typeof told === 'object' && told !== null ? (told as Record<string, unknown>) : {}
  const head = typeof number === 'string' && /^0x[0-9a-f]{1,13}$/i.test(number) ? Number(number) : Number.NaN
  if (!Number.isSafeInteger(head) || typeof hash !== 'string') throw new BadBlock('The chain does not tell its head.')
  return { number: head, hash: hash.toLowerCase() }
}
