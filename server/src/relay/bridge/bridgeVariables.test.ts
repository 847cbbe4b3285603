import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { configProblemsOf } from '../../kit/config/testing/configProblemsOf.ts'

const projectId = 'ab'.repeat(16)

const problemsOf = (environment: Record<string, string>) => configProblemsOf(() => readConfig(environment))

test('the bridge is off by default', () => {
  expect(readConfig({}).upstream).toBeUndefined()
})

test('the upstream URL is kept unchanged, because tokens name it', () => {
  const url = 'wss://Relay.example.com/?region=eu'
  const { upstream } = readConfig({ RELAY_UPSTREAM_URL: url, RELAY_UPSTREAM_PROJECT_ID: projectId })
  expect(upstream).toEqual({ url, projectId, origin: undefined, lingerSeconds: 600 })
})

test.each([
  [{ RELAY_UPSTREAM_URL: 'wss://relay.example.com' }, 'RELAY_UPSTREAM_PROJECT_ID: is needed with RELAY_UPSTREAM_URL'],
  [{ RELAY_UPSTREAM_PROJECT_ID: projectId }, 'RELAY_UPSTREAM_URL: is needed with RELAY_UPSTREAM_PROJECT_ID'],
  [
    { RELAY_UPSTREAM_URL: 'https://relay.example.com', RELAY_UPSTREAM_PROJECT_ID: projectId },
    'RELAY_UPSTREAM_URL: must begin with wss:// or ws://',
  ],
  [
    { RELAY_UPSTREAM_URL: 'wss://relay.example.com/#a', RELAY_UPSTREAM_PROJECT_ID: projectId },
    'RELAY_UPSTREAM_URL: must have no # in it',
  ],
  [
    { RELAY_UPSTREAM_URL: 'wss://relay.example.com', RELAY_UPSTREAM_PROJECT_ID: 'mine' },
    'RELAY_UPSTREAM_PROJECT_ID: must be 32 hex digits',
  ],
])('%o is rejected with a message that names the invalid variable', (environment, problem) => {
  expect(problemsOf(environment)).toEqual([problem])
})
