import { describe, expect, test } from 'vitest'
import { gapsOf } from '../testing/gapsOf.ts'
import { modalMessages } from '@latchkey/modal/messages'

const { english } = modalMessages

describe.each(Object.entries(modalMessages.translations))('%s', (_, load) => {
  test('has every text that English has, with the same arguments', async () => {
    expect(gapsOf(english, (await load?.())?.translation)).toEqual([])
  })
})

test('a text that is missing, empty or lacks an argument is a gap', () => {
  const { title: _, ...connect } = english.connect
  const translation = {
    ...english,
    connect,
    networks: { ...english.networks, title: ' ', noResults: () => 'No network.' },
  }
  expect(gapsOf(english, translation)).toEqual(['connect.title', 'networks.title', 'networks.noResults'])
})
