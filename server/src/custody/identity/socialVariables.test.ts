import { expect, test } from 'vitest'
import { parseVariables } from '../../kit/config/variables.ts'
import { socialVariables, toSocials } from './socialVariables.ts'

function parse(environment: Record<string, string>) {
  const parsed = parseVariables(socialVariables, environment)
  if ('problems' in parsed) throw new Error(parsed.problems[0])
  return toSocials(parsed.values)
}

const read = (socials: unknown) => parse({ SOCIALS: JSON.stringify(socials) })

function problemOf(text: string): string {
  const parsed = parseVariables(socialVariables, { SOCIALS: text })
  return 'problems' in parsed ? (parsed.problems[0]?.replace('SOCIALS: ', '') ?? '') : ''
}

test('no variables configure no provider', () => {
  expect(parse({})).toEqual({})
})

test('a provider is configured with its client and other endpoints', () => {
  const github = { clientId: 'a', clientSecret: 'b', tokenUrl: 'http://127.0.0.1:1/token' }
  expect(read({ github, google: { clientId: 'c' } })).toEqual({ github, google: { clientId: 'c' } })
})

test('an invalid configuration names the field and no secret', () => {
  expect(problemOf('{"github": {"clientSecret": "s3cret"}}')).toBe('is wrong at: github.clientId')
  expect(problemOf('{"github": {"clientId": "a", "clientSecret": "s3cret", "nmae": 1}}')).not.toContain('s3cret')
  expect(problemOf('s3cret')).not.toContain('s3cret')
})

test('unencrypted endpoints are accepted on this machine only', () => {
  const google = (issuer: string): string => problemOf(JSON.stringify({ google: { clientId: 'a', issuer } }))
  expect(google('http://accounts.example.org')).toBe('is wrong at: google.issuer')
  expect(google('http://localhost.example.org')).toBe('is wrong at: google.issuer')
  expect(google('https://accounts.example.org')).toBe('')
})
