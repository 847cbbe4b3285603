import { expect, test } from 'vitest'
import { z } from 'zod'
import { readSocials, socialConfig } from './config.ts'

const schema = z.object(socialConfig)
const read = (socials: unknown) => readSocials(schema.parse({ SOCIALS: JSON.stringify(socials) }))
const problemOf = (text: string): string => schema.safeParse({ SOCIALS: text }).error?.issues[0]?.message ?? ''

test('sets up no provider that nobody named', () => {
  expect(readSocials(schema.parse({}))).toEqual({})
})

test('takes what a provider gave, and other places of its endpoints', () => {
  const github = { clientId: 'a', clientSecret: 'b', tokenUrl: 'http://127.0.0.1:1/token' }
  expect(read({ github, google: { clientId: 'c' } })).toEqual({ github, google: { clientId: 'c' } })
})

test('says where it is wrong, and never a secret', () => {
  expect(problemOf('{"github": {"clientSecret": "s3cret"}}')).toBe('is wrong at: github.clientId')
  expect(problemOf('{"github": {"clientId": "a", "clientSecret": "s3cret", "nmae": 1}}')).not.toContain('s3cret')
  expect(problemOf('s3cret')).not.toContain('s3cret')
})

test('takes no endpoint without encryption but on this machine', () => {
  const google = (issuer: string): string => problemOf(JSON.stringify({ google: { clientId: 'a', issuer } }))
  expect(google('http://accounts.example.org')).toBe('is wrong at: google.issuer')
  expect(google('http://localhost.example.org')).toBe('is wrong at: google.issuer')
  expect(google('https://accounts.example.org')).toBe('')
})
