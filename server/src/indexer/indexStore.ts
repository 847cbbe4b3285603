import type { Database } from '../kit/database/database.ts'
import type { TableRow } from '../schema/tableRow.ts'
import { transferKinds, zeroAddress, getTouchedAddresses, type Block, type Hex, type Transfer } from './block.ts'

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
}

/** Another process holds the lease of the chain now. */
export class LeaseLostError extends Error {
  override readonly name: string = 'LeaseLostError'
  constructor() {
    super('Another process indexes this chain now.')
  }
}

/** The stored index. Every method is atomic. */
export type IndexStore = {
  /** Gets the position of a chain. A new chain starts at `first`. */
  open(caip: string, first: number): Promise<IndexPosition>
  /** Gets the hash of an indexed block. */
  hashAt(chain: number, block: number): Promise<Hex | undefined>
  /**
   * Adds blocks that follow the head.
   *
   * @returns false, without a change, if the head has changed or the term is over
   */
  add(position: IndexPosition, blocks: readonly Block[], target: number): Promise<boolean>
  /**
   * Acquires or extends the lease to index a chain. Only one process holds it.
   *
   * @param until milliseconds
   * @returns the term of the lease, or `undefined` if another process holds it
   */
  lead(chain: number, process: string, now: number, until: number): Promise<number | undefined>
  /**
   * Deletes all blocks after `to`.
   *
   * @returns false, without a change, if the term is over
   */
  rewind(position: IndexPosition, to: number): Promise<boolean>
}

/** Creates the store on the server's database. */
export function createIndexStore(database: Database): IndexStore {
  return {
    async open(caip, first) {
      type Row = Pick<TableRow<'index_chain'>, 'chain' | 'first_block' | 'head' | 'target' | 'term'>
      const [row] = await database.run<Row>('index-open', openChain, [caip, first])
      if (row === undefined) throw new Error('The database returned no position of the index.')
      return { chain: row.chain, first: row.first_block, head: row.head, target: row.target, term: row.term }
    },
    async hashAt(chain, block) {
      const [row] = await database.run<{ hash: string }>('index-hash', hashOfBlock, [chain, block])
      return row === undefined ? undefined : `0x${row.hash}`
    },
    async add({ chain, term }, blocks, target) {
      if (blocks.length === 0) return true
      const moved = await database.run('index-add', addBlocks, [
        chain,
        target,
        ...columnsOf(blocks),
        term,
        blocks[0]?.minedAt,
      ])
      return moved.length === 1
    },
    async lead(chain, process, now, until) {
      const [row] = await database.run<{ term: number }>('index-lead', leadChain, [chain, process, now, until])
      return row?.term
    },
    async rewind({ chain, term }, to) {
      return (await database.run('index-rewind', rewindTo, [chain, to, term])).length === 1
    },
  }
}

const openChain = `
  insert into index_chain (caip, first_block, head, target) values ($1, $2, $2::bigint - 1, $2::bigint - 1)
  on conflict (caip) do update set caip = excluded.caip
  returning chain, first_block, head, target, term`

const leadChain = `
  update index_chain set term = term + (leader <> $2)::int, leader = $2, leads_until = $4
  where chain = $1 and (leader = $2 or leads_until < $3) returning term`

const hashOfBlock = `select encode(hash, 'hex') as hash from index_block where chain = $1 and block = $2`

/** A single statement is atomic and saves a round trip per table. Every part depends on the head and the term being unchanged. */
const addBlocks = `
  with moved as (
    update index_chain set head = (select max(block) from unnest($3::bigint[]) as block), target = $2,
      since = case when first_block = ($3::bigint[])[1] then $36 else since end
    where chain = $1 and head = (select min(block) from unnest($3::bigint[]) as block) - 1 and term = $35
    returning chain
  ), blocks as (
    insert into index_block (chain, block, hash)
    select moved.chain, row.* from moved, unnest($3::bigint[], $4::bytea[]) as row
  ), transactions as (
    insert into index_transaction (
      chain, block, position, hash, mined_at, sender, receiver, created, value, nonce, method, succeeded
    )
    select moved.chain, row.* from moved, unnest(
      $5::bigint[], $6::int[], $7::bytea[], $8::bigint[], $9::bytea[], $10::bytea[], $11::bytea[], $12::numeric[],
      $13::bigint[], $14::bytea[], $15::boolean[]
    ) as row
  ), transfers as (
    insert into index_transfer (chain, block, position, ordinal, kind, token, sender, receiver, token_id, amount)
    select moved.chain, row.* from moved, unnest(
      $16::bigint[], $17::int[], $18::int[], $19::smallint[], $20::bytea[], $21::bytea[], $22::bytea[], $23::numeric[],
      $24::numeric[]
    ) as row
  ), activities as (
    insert into index_activity (chain, address, mined_at, block, position)
    select moved.chain, row.* from moved, unnest($25::bytea[], $26::bigint[], $27::bigint[], $28::int[]) as row
  ), holdings as (
    insert into index_holding (chain, address, token, kind, token_id, block, signed)
    select moved.chain, row.* from moved, unnest(
      $29::bytea[], $30::bytea[], $31::smallint[], $32::numeric[], $33::bigint[], $34::boolean[]
    ) as row
    on conflict (address, chain, token, kind, token_id) do update set signed = true
    where excluded.signed and not index_holding.signed
  )
  select chain from moved`

/** Holdings are kept, because they only say which balances to read. */
const rewindTo = `
  with own as (
    update index_chain set head = least(head, $2) where chain = $1 and term = $3 returning chain
  ),
  blocks as (delete from index_block where chain = (select chain from own) and block > $2),
  transactions as (delete from index_transaction where chain = (select chain from own) and block > $2),
  transfers as (delete from index_transfer where chain = (select chain from own) and block > $2),
  activities as (delete from index_activity where chain = (select chain from own) and block > $2)
  select chain from own`

const toBytea = (hex: Hex): string => `\\x${hex.slice(2)}`
const toNullableBytea = (hex: Hex | undefined): string | null => (hex === undefined ? null : toBytea(hex))

/** Converts blocks to the parameters of `addBlocks`, in its order. */
function columnsOf(blocks: readonly Block[]): readonly unknown[] {
  const transactions = blocks.flatMap(({ number, minedAt, transactions: each }) =>
    each.map((transaction) => ({ block: number, minedAt, transaction })),
  )
  const transfers = transactions.flatMap(({ block, transaction: { position, sender, transfers: each } }) =>
    each.map((transfer) => ({ block, position, transfer, signer: sender })),
  )
  const activities = transactions.flatMap(({ block, minedAt, transaction }) =>
    [...getTouchedAddresses(transaction)].map((address) => ({
      address,
      minedAt,
      block,
      position: transaction.position,
    })),
  )
  const holdings = getHoldings(transfers)
  return [
    blocks.map(({ number }) => number),
    blocks.map(({ hash }) => toBytea(hash)),
    transactions.map(({ block }) => block),
    transactions.map(({ transaction }) => transaction.position),
    transactions.map(({ transaction }) => toBytea(transaction.hash)),
    transactions.map(({ minedAt }) => minedAt),
    transactions.map(({ transaction }) => toBytea(transaction.sender)),
    transactions.map(({ transaction }) => toNullableBytea(transaction.receiver)),
    transactions.map(({ transaction }) => toNullableBytea(transaction.created)),
    transactions.map(({ transaction }) => String(transaction.value)),
    transactions.map(({ transaction }) => transaction.nonce),
    transactions.map(({ transaction }) => toNullableBytea(transaction.method)),
    transactions.map(({ transaction }) => transaction.succeeded),
    transfers.map(({ block }) => block),
    transfers.map(({ position }) => position),
    transfers.map(({ transfer }) => transfer.ordinal),
    transfers.map(({ transfer }) => transfer.kind),
    transfers.map(({ transfer }) => toBytea(transfer.token)),
    transfers.map(({ transfer }) => toBytea(transfer.sender)),
    transfers.map(({ transfer }) => toBytea(transfer.receiver)),
    transfers.map(({ transfer: { tokenId } }) => (tokenId === undefined ? null : String(tokenId))),
    transfers.map(({ transfer }) => String(transfer.amount)),
    activities.map(({ address }) => toBytea(address)),
    activities.map(({ minedAt }) => minedAt),
    activities.map(({ block }) => block),
    activities.map(({ position }) => position),
    holdings.map(({ transfer }) => toBytea(transfer.receiver)),
    holdings.map(({ transfer }) => toBytea(transfer.token)),
    holdings.map(({ transfer }) => transfer.kind),
    holdings.map(({ transfer: { tokenId = 0n } }) => String(tokenId)),
    holdings.map(({ block }) => block),
    holdings.map(({ isSigned }) => isSigned),
  ]
}

type Holding = { transfer: Transfer; block: number; isSigned: boolean }

/**
 * Gets the tokens that receivers may hold, with the first block and whether the receiver signed a transaction in which it
 * received the token. Their balances are read from the chain.
 */
function getHoldings(transfers: readonly { block: number; transfer: Transfer; signer: Hex }[]): readonly Holding[] {
  const held: readonly number[] = [transferKinds.erc20, transferKinds.erc721, transferKinds.erc1155]
  const holdings = new Map<string, Holding>()
  for (const { block, transfer, signer } of transfers) {
    const { kind, receiver, token, tokenId } = transfer
    if (!held.includes(kind) || receiver === zeroAddress) continue
    const key = `${receiver}${token}${kind}${tokenId ?? ''}`
    const known = holdings.get(key)
    const isSigned = known?.isSigned === true || signer === receiver
    holdings.set(key, { transfer, block: known?.block ?? block, isSigned })
  }
  return [...holdings.values()]
}
