import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createPlaces } from './places.ts'
import { requestLocale } from './requestLocale.ts'

test.each([
  [undefined, 'en'],
  ['de', 'de'],
  ['pl, pt-BR;q=0.8, de;q=0.9', 'de'],
  ['zh-HK', 'zh-TW'],
  ['*', 'en'],
  ['../../etc/passwd, constructor, __proto__', 'en'],
  [`${'x'.repeat(100_000)}, de`, 'en'],
])('Accept-Language %j means one of the languages of the texts: %s [C-03]', (header, locale) => {
  const request = new IncomingMessage(new Socket())
  if (header !== undefined) request.headers['accept-language'] = header
  expect(requestLocale(request)).toBe(locale)
})

test.each([
  ['127.0.0.1', 'local'],
  ['10.1.2.3', 'local'],
  ['fd00:0:0:1::/64', 'local'],
  ['192.0.2.1 and more', ''],
  ['', ''],
  ['8.8.8.8', 'US'],
  ['2001:4860:4860:0::/64', 'US/Mountain View'],
])('the place of %j is %j [C-03]', (address, place) => {
  const places = createPlaces((known) =>
    known.includes(':') ? { country: 'US', city: 'Mountain View' } : { country: 'US' },
  )
  expect(places.find(address)).toBe(place)
})
