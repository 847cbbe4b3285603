import { expect, test } from 'vitest'
import { createBans, parseBan } from './bans.ts'

const clientId = `did:key:z6Mk${'a'.repeat(44)}`
const projectId = 'ab'.repeat(16)

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['203.0.113.7/24', '203.0.113.0/24'],
  ['2001:DB8::1', '2001:db8::1'],
  ['2001:db8:1:2:3:4:5:6/64', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:3:4:5:6/48', '2001:db8:1::/48'],
  ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
  [clientId, clientId],
  [projectId.toUpperCase(), projectId],
])('the ban of %s is stored as %s', (text, subject) => {
  expect(parseBan(text)).toBe(subject)
  expect(parseBan(subject)).toBe(subject)
})

test.each(['', '*', '0.0.0.0/0', '10.0.0.0/8', '::/0', '2001::/16', '203.0.113.0/33', '203.0.113.0/', '1.2.3', 'app'])(
  'the ban of "%s" is refused, because it is malformed or too wide',
  (text) => {
    expect(() => parseBan(text)).toThrow(/can't be banned|has \d+ to \d+ bits/)
  },
)

test('the ban of an IPv4 address in IPv6 form or of a zone is refused, because clients never have these', () => {
  expect(() => parseBan('::ffff:203.0.113.7')).toThrow("can't be banned")
  expect(() => parseBan('fe80::1%eth0')).toThrow("can't be banned")
})

test('bans match addresses inside their prefixes and no others', () => {
  const bans = createBans(['203.0.113.0/24', '198.51.100.7', '2001:db8:1::/48', '2001:db8:2:3::/64'])
  for (const banned of ['203.0.113.0', '203.0.113.255', '198.51.100.7', '2001:db8:1:ffff::1', '2001:db8:2:3:4::5']) {
    expect(bans.hasAddress(banned)).toBe(true)
  }
  for (const free of ['203.0.112.255', '203.0.114.0', '198.51.100.8', '2001:db8:2::1', '2001:db8:2:4::1']) {
    expect(bans.hasAddress(free)).toBe(false)
  }
  // Clients choose the header that a proxy may pass on.
  for (const text of ['', 'unknown', '203.0.113.7:443', '203.0.113.7, 1.1.1.1', 'fe80::1%eth0']) {
    expect(bans.hasAddress(text)).toBe(false)
  }
})

test('bans of clients and projects match exactly', () => {
  const bans = createBans([clientId, projectId])
  expect(bans.hasClient(clientId)).toBe(true)
  expect(bans.hasClient(`${clientId}a`)).toBe(false)
  expect(bans.projects).toEqual(new Set([projectId]))
  expect(bans.hasAddress('203.0.113.7')).toBe(false)
})
