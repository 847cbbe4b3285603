import { expect, test } from 'vitest'
import { createFailure, lastLine, sumTallies, tallyGates, tallyPlaywright, tallyVitest } from './testTally.mjs'

test('counts each gate as one test', () => {
  const gate = { seconds: 1, output: '' }
  expect(
    tallyGates([
      { name: 'types', hasPassed: true, ...gate },
      { name: 'lint', hasPassed: false, ...gate },
    ]),
  ).toEqual({ passed: 1, failed: 1, skipped: 0, failures: ['check: lint'] })
})

const vitestReport = {
  testResults: [
    {
      name: 'a.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'a works' },
        { status: 'failed', fullName: 'b works' },
        { status: 'skipped', fullName: 'c works' },
      ],
    },
    { name: 'broken.test.ts', status: 'failed', assertionResults: [] },
  ],
}

test('counts the tests of Vitest, and a file that could not run as a failure', () => {
  expect(tallyVitest(vitestReport, 1)).toEqual({
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: ['a.test.ts: b works', 'broken.test.ts: could not run'],
  })
})

test('tests of other runs are not counted as skipped', () => {
  const skipped = (fullName: string, tags: string[]) => ({ status: 'skipped', fullName, tags })
  const testResults = [
    { name: 'a.test.ts', status: 'passed', assertionResults: [skipped('long', ['faults']), skipped('flagged', [])] },
  ]
  const tally = tallyVitest({ testResults }, 0, { isChosen: (tags) => tags.length === 0 })
  expect(tally).toEqual({ passed: 0, failed: 0, skipped: 1, failures: [] })
})

test('counts a non-zero exit code without a failed test as a failure', () => {
  expect(tallyVitest({ testResults: [] }, 1)).toEqual(createFailure('vitest: an error outside all tests'))
  expect(tallyPlaywright({ suites: [], errors: [] }, 1)).toEqual(
    createFailure('playwright: an error outside all tests'),
  )
  expect(tallyVitest({ testResults: [] }, 0).failed).toBe(0)
})

test('an error after the report shows the end of what the program wrote to stderr', () => {
  const { failures } = tallyVitest({ testResults: [] }, 1, {
    lastErrors: '\u001B[31mUnhandled Rejection\u001B[39m\nclosed\n\n',
  })
  expect(failures).toEqual(['vitest: an error outside all tests\n  Unhandled Rejection\n  closed'])
})

test('an unhandled error is named with its place', () => {
  const errors = [
    { message: 'closed', name: 'TypeError', stack: 'TypeError: closed\n    at a.ts:3:1' },
    { message: 'Worker exited unexpectedly' },
  ]
  expect(tallyVitest({ testResults: [] }, 1, { errors })).toEqual({
    passed: 0,
    failed: 2,
    skipped: 0,
    failures: [
      'vitest: unhandled error\n  TypeError: closed\n      at a.ts:3:1',
      'vitest: unhandled error\n  Error: Worker exited unexpectedly\n  ',
    ],
  })
})

test('counts the tests of Playwright in nested suites, and a flaky test as failed', () => {
  const spec = (title: string, status: string) => ({ title, file: 'a.spec.ts', tests: [{ status }] })
  const report = {
    suites: [
      {
        specs: [spec('connects', 'expected'), spec('signs', 'unexpected')],
        suites: [{ specs: [spec('sends', 'flaky'), spec('waits', 'skipped')] }],
      },
    ],
    errors: [{ message: 'no server\nat start' }],
  }
  expect(tallyPlaywright(report, 1)).toEqual({
    passed: 1,
    failed: 3,
    skipped: 1,
    failures: ['a.spec.ts: signs', 'a.spec.ts: sends (passed only on retry)', 'playwright: no server'],
  })
})

test('a failure shows the first lines of its error, without colours', () => {
  const message = `\u001B[31mexpected 1\u001B[39m\nreceived 2`
  const spec = {
    title: 'signs',
    file: 'a.spec.ts',
    tests: [{ status: 'unexpected', results: [{ error: { message } }] }],
  }
  expect(tallyPlaywright({ suites: [{ specs: [spec] }], errors: [] }, 1).failures).toEqual([
    'a.spec.ts: signs\n  expected 1\n  received 2',
  ])
  const assertionResults = [{ status: 'failed', fullName: 'adds', failureMessages: [message] }]
  expect(tallyVitest({ testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults }] }, 1).failures).toEqual(
    ['a.test.ts: adds\n  expected 1\n  received 2'],
  )
})

test('a timeout is named as such, because its stack in the report has no message', () => {
  const failureMessages = ['Error: STACK_TRACE_ERROR\n    at a.test.ts:3:1']
  const assertionResults = [{ status: 'failed', fullName: 'adds', failureMessages }]
  expect(tallyVitest({ testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults }] }, 1).failures).toEqual(
    ['a.test.ts: adds\n  Error: the test or a hook timed out\n      at a.test.ts:3:1'],
  )
})

test('the last line mentions skipped tests only if there are any', () => {
  const passed = { passed: 3, failed: 0, skipped: 0, failures: [] }
  expect(lastLine(sumTallies([passed, createFailure('a'), createFailure('b')]))).toBe('3 passed, 2 failed')
  expect(lastLine(sumTallies([passed, { ...passed, skipped: 1 }]))).toBe('6 passed, 0 failed, 1 skipped')
})
