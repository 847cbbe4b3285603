import { expect, test } from 'vitest'
import { describeBrowser } from './describeBrowser.ts'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36 Edg/131.0',
    'Edg on Windows',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/131.0 Safari/537.36 OPR/115.0', 'OPR on Windows'],
  ['Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari on iPad'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari on Mac OS'],
])('describeBrowser describes %s as %s', (agent, description) => {
  expect(describeBrowser(agent)).toBe(description)
})

test('describeBrowser uses no text of the header, which the client chooses [C-03]', () => {
  const unknown = describeBrowser(undefined)
  expect(unknown).not.toBe('')
  expect(describeBrowser('Visit https://evil.example')).toBe(unknown)
  expect(describeBrowser('evil Linux')).toBe(`${unknown} on Linux`)
  expect(describeBrowser('evil Firefox')).toBe('Firefox')
})
