// Estimates the cost of users and chains: calls to nodes, rows and bytes, for both kinds of index. `validate.mjs` compares it with a
// running server.

/** @typedef {'all' | 'requested'} Design the addresses that are indexed */

/**
 * The activity of a chain and of its users.
 *
 * @typedef {object} ChainActivity
 * @property {number} seconds
 * @property {number} blocks
 * @property {number} transactions of all addresses, those of users included
 * @property {number} transfersPerTransaction
 * @property {number} addressesPerTransaction the addresses whose history has a transaction, on average
 * @property {number} users followed addresses
 * @property {number} newUsers users whose history is indexed backwards, or who receive their first token
 * @property {number} userTransactions new transactions of users
 * @property {number} oldTransactions transactions of new users from before their first request
 * @property {number} historyWindows ranges of blocks whose logs are searched for the history of an address
 * @property {boolean} searchesTraces true for a node with `ots_searchTransactionsBefore`
 * @property {number} balanceReads
 * @property {number} callsPerBalanceRead
 * @property {number} otherUserCalls calls of wallets and apps that reach a node
 */

/** @typedef {{ userCalls: number, indexCalls: number, rows: Readonly<Record<Table, number>>, bytes: number }} Usage */

/** @typedef {'index_block' | 'index_transaction' | 'index_transfer' | 'index_activity' | 'index_holding' | 'index_address'} Table */

/**
 * Bytes of a row with its indexes, measured with 300 blocks of 170 transactions; those of the small tables follow from
 * their columns.
 *
 * @type {Readonly<Record<Table, number>>}
 */
export const bytesPerRow = {
  index_block: 120,
  index_transaction: 210,
  index_transfer: 175,
  index_activity: 220,
  index_holding: 180,
  index_address: 400,
}

/** Bytes of a table with few rows: maps of free space, and pages that are hardly filled. */
const bytesPerTable = 40_000
/** An index of requested addresses writes a few rows at a time, and leaves pages half empty. Measured with 100 users. */
const smallWrites = 1.45

/** The server reads the head of each chain once a second. */
const headsPerSecond = 1
/** Filters for addresses, and the number of addresses above which all transfers are read instead. */
const [addressesPerFilter, filtersPerRange, maxFiltered] = [500, 3, 2_000]
const transactionsPerPage = 50
/** Hashes of blocks that an index of requested addresses keeps. */
const keptHashes = 256
/** Calls that read an old transaction: itself, its receipt, and its block. */
const callsPerOldTransaction = 3

/**
 * @param {Design} design
 * @param {ChainActivity} chain
 * @returns {Usage}
 */
export function estimateChain(design, chain) {
  const userCalls = chain.balanceReads * chain.callsPerBalanceRead + chain.otherUserCalls
  const { indexCalls, rows } = design === 'all' ? estimateAll(chain) : estimateRequested(chain)
  const sizes = Object.entries(rows).map(([table, count]) => count * bytesPerRow[/** @type {Table} */ (table)])
  const bytes = sizes.reduce((sum, size) => sum + size, 0) * (design === 'all' ? 1 : smallWrites)
  return { userCalls, indexCalls, rows, bytes }
}

/** @param {ChainActivity} chain */
function estimateAll({ seconds, blocks, transactions, transfersPerTransaction, addressesPerTransaction, newUsers }) {
  return {
    // A block and its receipts.
    indexCalls: headsPerSecond * seconds + 2 * blocks,
    rows: {
      index_block: blocks,
      index_transaction: transactions,
      index_transfer: transactions * transfersPerTransaction,
      index_activity: transactions * addressesPerTransaction,
      // The first token of an address.
      index_holding: newUsers,
      index_address: 0,
    },
  }
}

/** @param {ChainActivity} chain */
function estimateRequested(chain) {
  const { seconds, blocks, users, newUsers, userTransactions, oldTransactions, transfersPerTransaction } = chain
  const heads = headsPerSecond * seconds
  if (users === 0) return { indexCalls: heads, rows: noRows }
  const ranges = Math.min(blocks, seconds)
  const filters = users > maxFiltered ? 1 : filtersPerRange * Math.ceil(users / addressesPerFilter)
  const pages = newUsers * Math.max(1, Math.ceil(oldTransactions / Math.max(1, newUsers) / transactionsPerPage))
  const searches = newUsers * chain.historyWindows * filtersPerRange + (chain.searchesTraces ? pages : 0)
  const stored = userTransactions + oldTransactions
  return {
    indexCalls:
      heads + blocks + ranges * filters + userTransactions + searches + callsPerOldTransaction * oldTransactions,
    rows: {
      index_block: Math.min(blocks, keptHashes),
      index_transaction: stored,
      index_transfer: stored * transfersPerTransaction,
      index_activity: stored,
      index_holding: newUsers,
      index_address: newUsers,
    },
  }
}

/** @type {Readonly<Record<Table, number>>} */
const noRows = {
  index_block: 0,
  index_transaction: 0,
  index_transfer: 0,
  index_activity: 0,
  index_holding: 0,
  index_address: 0,
}

/**
 * Adds the usage of the chains of one database.
 *
 * @param {readonly Usage[]} usages
 */
export function sumUsage(usages) {
  const sum = (/** @type {(usage: Usage) => number} */ get) => usages.reduce((total, each) => total + get(each), 0)
  return {
    userCalls: sum(({ userCalls }) => userCalls),
    indexCalls: sum(({ indexCalls }) => indexCalls),
    rows: sum(countRows),
    bytes: sum(({ bytes }) => bytes) + bytesPerTable * Object.keys(bytesPerRow).length,
  }
}

/** @param {Usage} usage */
function countRows({ rows }) {
  return Object.values(rows).reduce((total, count) => total + count, 0)
}
