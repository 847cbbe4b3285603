import { expect, test } from 'vitest'
import { root } from '../../lib/root.mjs'
import { formatCases, listResults } from './formatCases.mjs'
import { readCases } from './readCases.mjs'

const cases = [
  { id: 'K-01', statement: 'Any two of three shares rebuild a key.', reason: undefined },
  { id: 'K-02', statement: 'An altered container is rejected.', reason: undefined },
  { id: 'K-03', statement: 'A code and a link bring back the same addresses.', reason: undefined },
  { id: 'R-04', statement: 'A full disk leads to errors.', reason: 'No test fills a disk.' },
]

test('the table has the verdict of each case that ran, and the reason of each that no test proves', () => {
  const results = [
    { title: 'two shares rebuild a key [K-01]', hasPassed: true },
    { title: 'one share does not [K-01]', hasPassed: true },
    { title: 'an altered container is rejected [K-02] [K-01]', hasPassed: false },
    { title: 'another test', hasPassed: false },
  ]
  expect(formatCases(cases, results)).toBe(
    [
      'Cases of docs/security-cases.md',
      'K-01  FAILED 1 of 3   Any two of three shares rebuild a key.',
      'K-02  FAILED 1 of 1   An altered container is rejected.',
      'R-04  not provable    No test fills a disk.',
      '',
      'Tested by other commands: K-03',
    ].join('\n'),
  )
})

test('a long statement is cut, and a test that runs proves a case despite a recorded reason', () => {
  const long = [{ id: 'R-04', statement: 'word '.repeat(40), reason: 'No test fills a disk.' }]
  const table = formatCases(long, [{ title: 'a full disk [R-04]', hasPassed: true }])
  expect(table).toContain(`R-04  passed 1        ${'word '.repeat(15).trimEnd()}…`)
  expect(table).not.toContain('No test fills a disk.')
})

test('skipped tests prove nothing, and a repeated one has failed', () => {
  const statuses = ['passed', 'failed', 'skipped', 'pending']
  const assertionResults = statuses.map((status) => ({ status, fullName: `is ${status}` }))
  expect(listResults({ testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults }] })).toEqual([
    { title: 'is passed', hasPassed: true },
    { title: 'is failed', hasPassed: false },
  ])
  const spec = (title: string, status: string) => ({ title, file: 'a.spec.ts', tests: [{ status }] })
  const inner = { specs: [spec('is flaky', 'flaky'), spec('is skipped', 'skipped')] }
  const suites = [{ specs: [spec('is expected', 'expected')], suites: [inner] }]
  expect(listResults({ suites, errors: [] })).toEqual([
    { title: 'is expected', hasPassed: true },
    { title: 'is flaky', hasPassed: false },
  ])
})

test('each case without a test has a reason in the list of deviations', async () => {
  const read = await readCases(root)
  expect(read.length).toBeGreaterThan(100)
  expect(read.filter(({ reason }) => reason === 'No reason is recorded.')).toEqual([])
})
