// Users over a hundred chains. Few users and few chains have most of the activity.
import { createRandom, createRankChoice, drawPower } from './random.mjs'

/** @typedef {import('./model.mjs').ChainActivity} ChainActivity */

export const chainCount = 100
const daySeconds = 86_400
/** The exponents of the popularity of chains among users, and of their transactions. */
const [popularity, traffic] = [1.1, 1.2]
/** Transactions of the busiest chain in a day. */
const mostTransactions = 4_000_000
/** The first chain has a block in twelve seconds, the others in two. */
const [slowBlocks, fastBlocks] = [daySeconds / 12, daySeconds / 2]
/** Sessions of a user in a day: 0.9 on average, half of the users have less than 0.5. */
const sessionLaw = { exponent: 1.5, least: 0.3, most: 100 }
/** Transactions of an address before its first request: 22 on average, 10,000 at most. */
const historyLaw = { exponent: 1.3, least: 5, most: 10_000 }
/** Users with a second chain. */
const secondChainShare = 0.4
/** Users of a day whose addresses are new to the index. */
const newUserShare = 0.01
const minutesPerSession = 3
/** The account view reads balances again after half a minute, if the user returns to it. */
const readsPerMinute = 1
/** A session that sends a transaction, the calls for it, and the transactions that a user receives for each sent one. */
const [sendShare, callsPerSend, receivedPerSent] = [0.15, 10, 1.5]

/**
 * @param {{ users: number, seed: number }} options
 * @returns {{ chains: ChainActivity[], userMinutes: number }}
 */
export function createPopulation({ users, seed }) {
  const random = createRandom(seed)
  const chooseChain = createRankChoice(chainCount, popularity)
  const chains = Array.from({ length: chainCount }, (_, rank) => createChain(rank))
  let userMinutes = 0
  for (let user = 0; user < users; user += 1) {
    const sessions = drawPower(random, sessionLaw)
    const old = Math.floor(drawPower(random, historyLaw))
    const isNew = random() < newUserShare
    const visited = new Set([chooseChain(random)])
    if (random() < secondChainShare) visited.add(chooseChain(random))
    userMinutes += sessions * minutesPerSession
    for (const rank of visited) {
      const chain = chains[rank]
      if (chain !== undefined) addUser(chain, { sessions: sessions / visited.size, old: isNew ? old : 0, isNew })
    }
  }
  return { chains, userMinutes }
}

/**
 * @param {number} rank
 * @returns {ChainActivity}
 */
function createChain(rank) {
  return {
    seconds: daySeconds,
    blocks: rank === 0 ? slowBlocks : fastBlocks,
    transactions: Math.round(mostTransactions * (rank + 1) ** -traffic),
    transfersPerTransaction: 2,
    addressesPerTransaction: 3,
    users: 0,
    newUsers: 0,
    userTransactions: 0,
    oldTransactions: 0,
    historyWindows: 30,
    searchesTraces: false,
    balanceReads: 0,
    // Multicall3 reads the native currency and up to 199 tokens.
    callsPerBalanceRead: 1,
    otherUserCalls: 0,
  }
}

/**
 * @param {ChainActivity} chain
 * @param {{ sessions: number, old: number, isNew: boolean }} user
 */
function addUser(chain, { sessions, old, isNew }) {
  const sent = sessions * sendShare
  chain.users += 1
  chain.newUsers += Number(isNew)
  chain.oldTransactions += old
  chain.userTransactions += sent * (1 + receivedPerSent)
  chain.balanceReads += sessions * minutesPerSession * readsPerMinute
  chain.otherUserCalls += sent * callsPerSend
}
