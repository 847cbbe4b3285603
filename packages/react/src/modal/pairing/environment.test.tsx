import { expect, test } from 'vitest'
import { environmentOf, readEnvironment, type Environment } from './environment.ts'

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const iPhone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webKit}`
const pixel = 'Mozilla/5.0 (Linux; Android 15; Pixel 9'

const places: ReadonlyArray<
  [name: string, userAgent: string, system: Environment['system'], host: Environment['host']]
> = [
  ['Safari on an iPhone', `${iPhone} Version/18.1 Mobile/15E148 Safari/604.1`, 'ios', 'browser'],
  ['Chrome on an iPhone', `${iPhone} CriOS/131.0 Mobile/15E148 Safari/604.1`, 'ios', 'browser'],
  ['a view inside an app of an iPhone', `${iPhone} Mobile/15E148`, 'ios', 'app'],
  ['Instagram on an iPhone', `${iPhone} Mobile/15E148 Instagram 350.0 Safari/604.1`, 'ios', 'app'],
  ['Chrome on Android', `${pixel}) ${blink} Chrome/131.0.0.0 Mobile Safari/537.36`, 'android', 'browser'],
  [
    'a view inside an app of Android',
    `${pixel}; wv) ${blink} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36`,
    'android',
    'app',
  ],
  [
    'Facebook on Android',
    `${pixel}; wv) ${blink} Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/490.0;]`,
    'android',
    'app',
  ],
  ['Chrome on a desk', `Mozilla/5.0 (X11; Linux x86_64) ${blink} Chrome/131.0.0.0 Safari/537.36`, 'desk', 'browser'],
  [
    'Safari on a Mac',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.1 Safari/605.1.15`,
    'desk',
    'browser',
  ],
]

test.each(places)('%s is detected', (_name, userAgent, system, host) => {
  const maxTouchPoints = system === 'desk' ? 0 : 5
  const found = environmentOf({ userAgent, maxTouchPoints, isFramed: false, hasTelegram: false })
  expect(found).toEqual({ system, host, isFramed: false })
})

test('a tablet that identifies as a Mac is detected by its touch points', () => {
  const userAgent = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.1 Safari/605.1.15`
  const found = environmentOf({ userAgent, maxTouchPoints: 5, isFramed: false, hasTelegram: false })
  expect(found.system).toBe('ios')
})

test.each([
  [`${iPhone} Mobile/15E148`, 'ios'],
  [`${pixel}; wv) ${blink} Chrome/131.0.0.0 Mobile Safari/537.36`, 'android'],
])('a Telegram mini app is detected regardless of its user agent', (userAgent, system) => {
  const found = environmentOf({ userAgent, maxTouchPoints: 5, isFramed: true, hasTelegram: true })
  expect(found).toEqual({ system, host: 'telegram', isFramed: true })
})

test('the page of this test is in a framed desktop browser', () => {
  expect(readEnvironment()).toEqual({ system: 'desk', host: 'browser', isFramed: true })
})
