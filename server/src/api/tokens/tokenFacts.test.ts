import { expect, test } from 'vitest'
import type { Hex } from '../../indexer/block.ts'
import type { Database } from '../../kit/database/database.ts'
import { createTokenFacts, type FactsChain } from './tokenFacts.ts'

const toAddress = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`
const toText = (text: string): string => `0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`

/** Contracts behind a database that stores nothing. Counts how often a contract is read. */
function createReader(names: Readonly<Record<Hex, string>>, maxRemembered?: number) {
  const time = { now: 1_000 }
  const reads: string[] = []
  const tryBatch: FactsChain['rpc']['tryBatch'] = async (requests) =>
    requests.map(([, [call]], index) => {
      const { to } = call as { to: Hex }
      if (index % 3 === 0) reads.push(to)
      const name = names[to]
      return name === undefined ? undefined : index % 3 === 2 ? `0x${'12'.padStart(64, '0')}` : toText(name)
    })
  const database = { run: async () => [] } as Pick<Database, 'run'> as Database
  const facts = createTokenFacts(database, { now: () => time.now }, maxRemembered)
  const chain: FactsChain = { chain: 1, rpc: { tryBatch } as FactsChain['rpc'], tokens: [] }
  return {
    time,
    reads,
    getNames: async (tokens: readonly Hex[]) => [...(await facts.of(chain, tokens)).values()].map(({ name }) => name),
  }
}

test('the metadata of a contract is read once, and that of a contract without any again after an hour', async () => {
  const { time, reads, getNames } = createReader({ [toAddress(1)]: 'Coin' })
  const tokens = [toAddress(1), toAddress(2)]
  expect(await getNames(tokens)).toEqual(['Coin', null])
  time.now += 3_599_999
  await getNames(tokens)
  expect(reads).toEqual(tokens)
  time.now += 1
  expect(await getNames(tokens)).toEqual(['Coin', null])
  expect(reads).toEqual([...tokens, toAddress(2)])
})

test('the tokens of a page keep their metadata while a full memory forgets others', async () => {
  const { getNames } = createReader({ [toAddress(1)]: 'One', [toAddress(2)]: 'Two', [toAddress(3)]: 'Three' }, 2)
  expect(await getNames([toAddress(1)])).toEqual(['One'])
  expect(await getNames([toAddress(1), toAddress(2), toAddress(3)])).toEqual(['One', 'Two', 'Three'])
  expect(await getNames([toAddress(1)])).toEqual(['One'])
})
