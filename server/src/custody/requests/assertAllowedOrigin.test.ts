import { expect, test } from 'vitest'
import { createProjects } from '../../kit/http/projects.ts'
import { assertAllowedOrigin } from './assertAllowedOrigin.ts'

const id = 'ab'.repeat(16)
const projects = createProjects([{ id, allowedOrigins: ['https://app.example', '*.preview.example'] }])

test.each([
  ['https://app.example', 'https://app.example'],
  ['https://evil-login.preview.example', '*.preview.example'],
])('the origin %s is shown as %s, which the client cannot choose', (origin, shown) => {
  expect(assertAllowedOrigin(projects, id, origin)).toBe(shown)
})

test.each(['https://evil.example', 'https://app.example/path', 'null', ''])('the origin %j is refused', (origin) => {
  expect(() => assertAllowedOrigin(projects, id, origin)).toThrow(
    expect.objectContaining({ status: 403, field: 'origin' }),
  )
})
