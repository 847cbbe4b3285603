import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { describeRequest } from './describeRequest.ts'
import { createPlaces } from './places.ts'
import { requestSource } from './requestSource.ts'

const headers = {
  'x-forwarded-for': '8.8.8.8',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/132.0',
  'accept-language': 'de',
}
const request = Object.assign(new IncomingMessage(new Socket()), { headers })

test('requestSource returns the address, the browser and the language of a request', () => {
  expect(requestSource(request, 1)).toEqual({ client: '8.8.8.8', browser: 'Firefox on Linux', locale: 'de' })
})

test('describeRequest returns the facts of a request and the texts in its language [C-03]', async () => {
  const places = createPlaces((address) => ({ country: 'US', city: address }))
  const german = await describeRequest(request, { trustedProxies: 1, places, clock: { now: () => 7 } })
  expect(german.facts).toEqual({ browser: 'Firefox on Linux', place: 'US/8.8.8.8', at: 7 })
  const english = new IncomingMessage(new Socket())
  const { words } = await describeRequest(english, { trustedProxies: 1, places, clock: { now: () => 7 } })
  expect(german.words.linkPage.browser).not.toBe('')
  expect(german.words).not.toEqual(words)
})
