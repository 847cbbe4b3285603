import { describe, expect, test } from 'vitest'
import { en } from './en.ts'
import { locales } from './locales.ts'
import { gapsOf } from '../testing/gapsOf.ts'

describe.each(Object.entries(locales))('%s', (_, load) => {
  test('says everything that English says, and names what it is told', async () => {
    const language = await load?.()
    expect(gapsOf(en, language?.strings)).toEqual([])
  })
})

test('a text that is missing, empty, or forgets what it was told is found', () => {
  const { title: _, ...connect } = en.connect
  const strings = { ...en, connect, networks: { ...en.networks, title: ' ', nothing: () => 'No network.' } }
  expect(gapsOf(en, strings)).toEqual(['connect.title', 'networks.title', 'networks.nothing'])
})
