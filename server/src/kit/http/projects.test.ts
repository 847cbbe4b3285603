import { expect, test } from 'vitest'
import { createProjects, originMatches } from './projects.ts'

const id = 'ab'.repeat(16)

test.each([
  ['https://app.example.com', 'https://app.example.com', true],
  ['https://app.example.com', 'http://app.example.com', false],
  ['https://app.example.com/', 'https://app.example.com', true],
  ['https://app.example.com', 'https://app.example.com:8443', false],
  ['https://app.example.com:8443', 'https://app.example.com:8443', true],
  ['https://app.example.com:443', 'https://app.example.com', true],
  ['app.example.com', 'http://app.example.com', true],
  ['app.example.com', 'https://app.example.com', true],
  ['APP.example.com', 'https://app.example.com', true],
  ['app.example.com', 'https://app.example.com.evil.example', false],
  ['example.com', 'https://app.example.com', false],
  ['*.example.com', 'https://app.example.com', true],
  ['*.example.com', 'https://example.com', false],
  ['*.example.com', 'https://a.b.example.com', false],
  ['*.*.example.com', 'https://a.b.example.com', true],
  ['*.example.com', 'https://evilexample.com', false],
  ['ap*.example.com', 'https://app.example.com', false],
  ['app.*.com', 'https://app.example.com', false],
  ['*', 'https://example', false],
  ['https://*.example.com:8443', 'https://app.example.com:8443', true],
  ['app.example.com', 'app.example.com', false],
])('the entry %s allows the origin %s: %s [R-13]', (pattern, origin, fits) => {
  expect(originMatches(pattern, origin)).toBe(fits)
})

test('local requests are accepted when every project is accepted [R-13]', () => {
  const projects = createProjects('any')
  for (const origin of [undefined, 'null', 'http://localhost:4600', 'http://127.0.0.1', 'http://app.localhost']) {
    expect(projects.check(id, origin)).toBe('ok')
  }
  expect(projects.check(id, 'https://app.example.com')).toBe('origin-not-allowed')
  expect(projects.check(id, 'https://localhost.example.com')).toBe('origin-not-allowed')
})

test('a missing project id is reported as missing, a malformed or unknown one as unknown [R-13]', () => {
  const projects = createProjects([{ id, allowedOrigins: [] }])
  expect(projects.check(undefined, undefined)).toBe('missing')
  expect(projects.check('', undefined)).toBe('missing')
  expect(projects.check(id.slice(1), undefined)).toBe('unknown')
  expect(projects.check('cd'.repeat(16), undefined)).toBe('unknown')
  expect(projects.check(id, 'https://anywhere.example')).toBe('ok')
})

test('an origin is checked against the list of its project', () => {
  const other = 'cd'.repeat(16)
  const projects = createProjects([
    { id, allowedOrigins: ['https://one.example'] },
    { id: other, allowedOrigins: ['https://two.example'] },
  ])
  expect(projects.check(id, 'https://one.example')).toBe('ok')
  expect(projects.check(id, 'https://two.example')).toBe('origin-not-allowed')
  expect(projects.isKnownOrigin('https://two.example')).toBe(true)
  expect(projects.isKnownOrigin('https://three.example')).toBe(false)
})

test('an application without an origin is checked by its name, a page only by its origin [R-13]', () => {
  const projects = createProjects([{ id, allowedOrigins: ['https://one.example', 'com.example.wallet'] }])
  for (const origin of [undefined, 'null']) {
    expect(projects.check(id, origin, 'com.example.wallet')).toBe('ok')
    expect(projects.check(id, origin, 'com.example.Wallet')).toBe('origin-not-allowed')
    expect(projects.check(id, origin, 'com.example.wallet.evil')).toBe('origin-not-allowed')
    expect(projects.check(id, origin, undefined)).toBe('ok')
  }
  expect(projects.check(id, 'https://two.example', 'com.example.wallet')).toBe('origin-not-allowed')
  expect(projects.check(id, 'https://one.example', 'com.evil')).toBe('ok')
  expect(createProjects('any').check(id, undefined, 'com.anything')).toBe('ok')
  expect(createProjects([{ id, allowedOrigins: [] }]).check(id, undefined, 'com.anything')).toBe('ok')
})

test.each([
  'https://app.example.com/your-wallet-is-locked',
  'https://app.example.com/',
  'https://app.example.com:443',
  'https://APP.example.com',
  'https://support@app.example.com',
  'https://app.example.com?call=0900',
  'https://app.example.com#call',
  'https://app.example.com\nCall 0900 1234',
  ' https://app.example.com',
  'https:\\\\app.example.com',
  'http://app.example.com',
  'http://localhost',
  'http://localhost/call-0900-1234',
  'http://call-0900-1234.localhost',
  'http://127.0.0.1:4600',
  'null',
  '',
  'data://app.example.com',
  'capacitor://another',
])('pages of %j embed no wallet of a configured project [A-22]', (origin) => {
  const projects = createProjects([{ id, allowedOrigins: ['app.example.com', 'capacitor://localhost'] }])
  expect(projects.findEmbedder(id, origin)).toBeUndefined()
  expect(projects.findOwnOrEmbedder(origin)).toBeUndefined()
})

test('a listed origin is shown as it is, and an entry with a wildcard instead of the label that it matches [A-22]', () => {
  const allowedOrigins = ['https://app.example.com', '*.preview.example', 'capacitor://localhost']
  const projects = createProjects([{ id, allowedOrigins }], ['https://wallet.example/'])
  const shown = (origin: string) => [projects.findEmbedder(id, origin), projects.findOwnOrEmbedder(origin)]
  for (const origin of ['https://app.example.com', 'capacitor://localhost', 'https://wallet.example'])
    expect(shown(origin)).toEqual([origin, origin])
  expect(shown('https://call-0900-1234.preview.example')).toEqual(['*.preview.example', '*.preview.example'])
  expect(projects.findEmbedder('cd'.repeat(16), 'https://app.example.com')).toBeUndefined()
})

test('a project without origins is embedded nowhere, and local pages need an entry [A-22]', () => {
  const projects = createProjects([
    { id, allowedOrigins: [] },
    { id: 'cd'.repeat(16), allowedOrigins: ['http://localhost:4600'] },
  ])
  expect(projects.findEmbedder(id, 'https://app.example.com')).toBeUndefined()
  expect(projects.findEmbedder(id, 'http://localhost:4600')).toBeUndefined()
  expect(projects.findEmbedder('cd'.repeat(16), 'http://localhost:4600')).toBe('http://localhost:4600')
  expect(createProjects('any').findEmbedder(id, 'http://app.localhost:4600')).toBe('http://app.localhost:4600')
  expect(createProjects('any').findEmbedder(id, 'http://app.localhost/text')).toBeUndefined()
})
