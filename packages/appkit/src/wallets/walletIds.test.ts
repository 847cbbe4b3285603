import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { toWalletId } from './walletIds.ts'

type Group = { title: string; names: { name: string; status: string }[] }

const readJson = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
// The files of this repository have these shapes.
const wallets = readJson('../../../../server/src/wallets/wallets.json') as { name: string; rdns?: string }[]
const groups = readJson('../../names.json') as Group[]
const logins = ['walletConnect', 'google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook', 'email']
const buttons = groups.find(({ title }) => title === 'Ids of wallet buttons')?.names ?? []

const isListed = (id: string): boolean => wallets.some(({ name, rdns }) => name === id || rdns === id)

describe('ids of wallet buttons', () => {
  test.each(buttons.filter(({ name, status }) => status === 'same' && !logins.includes(name)))(
    '$name names a wallet of the list',
    ({ name }) => expect(isListed(toWalletId(name))).toBe(true),
  )

  test.each(buttons.filter(({ status }) => status === 'different'))('$name names no wallet of the list', ({ name }) =>
    expect(isListed(toWalletId(name))).toBe(false),
  )

  test('there are 44, in addition to logins', () => {
    expect(buttons.filter(({ name }) => !logins.includes(name))).toHaveLength(44)
  })
})

test('an id of the explorer names a wallet of the list', () => {
  const trust = '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0'
  expect(isListed(toWalletId(trust))).toBe(true)
})

test('other ids are returned unchanged', () => {
  expect(toWalletId('dev.wallet')).toBe('dev.wallet')
})
