import type { Database } from '../kit/database/database.ts'
import type { TableRow } from '../schema/tableRow.ts'
import type { Hex } from './block.ts'

/** The progress of the index of a chain. */
export type IndexPosition = {
  /** The chain's number in the tables. */
  chain: number
  /** The first indexed block. */
  first: number
  /** The last indexed block, or `first - 1` if there is none. */
  head: number
  /** The last known head of the chain. */
  target: number
  /** Counts the leases. A process whose lease ended cannot write, because its term is over. */
  term: number
  /** The hash of the last indexed block, if it is known. */
  hash?: Hex | undefined
}

/** Another process holds the lease of the chain now. */
export class LeaseLostError extends Error {
  override readonly name: string = 'LeaseLostError'
  constructor() {
    super('Another process indexes this chain now.')
  }
}

/** The positions of the index, and the leases of its writers. Every method is atomic. */
export type IndexStore = {
  /** Gets the position of a chain. A new chain starts at `first`. */
  open(caip: string, first: number): Promise<IndexPosition>
  /** Gets the hash of an indexed block. */
  hashAt(chain: number, block: number): Promise<Hex | undefined>
  /** Finds the newest block with a known hash that is not above a block. */
  findKnown(chain: number, atMost: number): Promise<{ block: number; hash: Hex } | undefined>
  /**
   * Acquires or extends the lease to index a chain. Only one process holds it.
   *
   * @param until milliseconds
   * @returns the term of the lease, or `undefined` if another process holds it
   */
  lead(chain: number, process: string, now: number, until: number): Promise<number | undefined>
}

/** Creates the store on the server's database. */
export function createIndexStore(database: Database): IndexStore {
  return {
    async open(caip, first) {
      type Row = Pick<TableRow<'index_chain'>, 'chain' | 'first_block' | 'head' | 'target' | 'term'> & {
        hash?: Hex | null
      }
      const [known] = await database.run<Row>('index-position', selectPosition, [caip])
      const [row] = known === undefined ? await database.run<Row>('index-open', openChain, [caip, first]) : [known]
      if (row === undefined) throw new Error('The database returned no position of the index.')
      const { chain, first_block, head, target, term, hash } = row
      return { chain, first: first_block, head, target, term, hash: hash ?? undefined }
    },
    async hashAt(chain, block) {
      const [row] = await database.run<{ hash: string }>('index-hash', hashOfBlock, [chain, block])
      return row === undefined ? undefined : `0x${row.hash}`
    },
    async findKnown(chain, atMost) {
      const [row] = await database.run<{ block: number; hash: Hex }>('index-known', newestHash, [chain, atMost])
      return row
    },
    async lead(chain, process, now, until) {
      const [row] = await database.run<{ term: number }>('index-lead', leadChain, [chain, process, now, until])
      return row?.term
    },
  }
}

/** Read each second for each chain, so that it does not write. */
const selectPosition = `
  select own.chain, first_block, head, target, term, '0x' || encode(hash, 'hex') as hash
  from index_chain as own left join index_block as last on last.chain = own.chain and last.block = own.head
  where caip = $1`

const openChain = `
  insert into index_chain (caip, first_block, head, target) values ($1, $2, $2::bigint - 1, $2::bigint - 1)
  on conflict (caip) do update set caip = excluded.caip
  returning chain, first_block, head, target, term`

const leadChain = `
  update index_chain set term = term + (leader <> $2)::int, leader = $2, leads_until = $4
  where chain = $1 and (leader = $2 or leads_until < $3) returning term`

const hashOfBlock = `select encode(hash, 'hex') as hash from index_block where chain = $1 and block = $2`

const newestHash = `
  select block, '0x' || encode(hash, 'hex') as hash from index_block
  where chain = $1 and block <= $2 order by block desc limit 1`
