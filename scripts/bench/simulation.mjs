// Simulates the data service and the relay; `--only=data` or `--only=relay` simulates one of them.
// The data service: calls to nodes, rows, bytes and money, for an index of all addresses and one of requested addresses.
// Simulates 10, 10 thousand and 10 million users over a hundred chains, and compares the model with a server that runs with
// 100 users. `--seed=2` draws other users. `--users=1000` simulates another number, `--validate=0` leaves the server out.
// `--calls=6` is the price of a million calls in dollars, `--storage=0.12` that of a gigabyte for a month.
// The relay: connections, processes, stores, traffic, money and the first limit, with `--wallets=10000,1000000` connected wallets.
// `relay/relayInputs.mjs` has further options.
import { build } from '../build.mjs'
import { estimateChain, sumUsage } from './simulation/model.mjs'
import { chainCount, createPopulation } from './simulation/population.mjs'
import { simulateRelay } from './simulation/relay/simulateRelay.mjs'
import { validateModel } from './simulation/validate.mjs'

/** @typedef {import('../bench.mjs').Figure} Figure */
/** @typedef {{ calls: number, storage: number }} Prices */

/** 1 % of 10,000 users. */
const [validatedUsers, validatedSeconds] = [100, 60]
const daysPerMonth = 30

/**
 * @param {Readonly<Record<string, string>>} options
 * @returns {Promise<Figure[]>}
 */
export async function measure(options = {}) {
  const { only = '', wallets = '10000,1000000,10000000' } = options
  const data = only === 'relay' ? [] : await simulateData(options)
  return only === 'data' ? data : [...data, ...simulateRelay({ wallets: wallets.split(',').map(Number), options })]
}

/**
 * @param {Readonly<Record<string, string>>} options
 * @returns {Promise<Figure[]>}
 */
async function simulateData({
  seed = '1',
  users = '10,10000,10000000',
  calls = '6',
  storage = '0.12',
  validate = '1',
}) {
  const prices = { calls: Number(calls), storage: Number(storage) }
  console.log(`  seed ${seed}, ${chainCount} chains, a day; $${calls} per million calls, $${storage} per GB and month`)
  const figures = users.split(',').flatMap((count) => simulate({ users: Number(count), seed: Number(seed), prices }))
  if (validate === '0') return figures
  await build()
  const options = { users: validatedUsers, seconds: validatedSeconds, seed: Number(seed) }
  return [...figures, ...(await validateModel(options))]
}

/**
 * @param {{ users: number, seed: number, prices: Prices }} options
 * @returns {Figure[]}
 */
function simulate({ users, seed, prices }) {
  const { chains, userMinutes } = createPopulation({ users, seed })
  return /** @type {const} */ (['all', 'requested']).flatMap((design) => {
    const usage = sumUsage(chains.map((chain) => estimateChain(design, chain)))
    const total = usage.userCalls + usage.indexCalls
    const name = `${users.toLocaleString('en')} users, ${design} addresses`
    // The bytes that a month adds are paid for half of the month on average.
    const gigabytes = (daysPerMonth * usage.bytes) / 1e9
    const cost = (daysPerMonth * total * prices.calls) / 1e6 + (gigabytes * prices.storage) / 2
    const perMinute = (total / userMinutes).toFixed(2)
    return [
      {
        name: `${name}: calls a day`,
        value: Math.round(total / 1e3) / 1e3,
        unit: 'million',
        note: `${perMinute} per user-minute, ${((100 * usage.userCalls) / total).toFixed(0)} % of them for users`,
      },
      { name: `${name}: rows a day`, value: Math.round(usage.rows), unit: '' },
      { name: `${name}: bytes a day`, value: usage.bytes / 1e6, unit: 'MB' },
      {
        name: `${name}: cost of a month`,
        value: Math.round(cost),
        unit: '$',
        note: `${((1_000 * cost) / users).toFixed(2)} $ per thousand users`,
      },
    ]
  })
}
