import { expect, test } from 'vitest'
import { loadService } from './loadService.ts'

const fail = (code: string, message: string) => (): Promise<never> =>
  Promise.reject(Object.assign(new Error(message), { code }))

test('a service is loaded, and a missing package is named', async () => {
  expect(await loadService('api', async () => 1)).toBe(1)
  const missing = fail('ERR_MODULE_NOT_FOUND', "Cannot find package 'viem' imported from /a.js")
  await expect(loadService('api', missing)).rejects.toThrow(
    new Error('The service api needs viem: run npm install viem, or leave api out of SERVICES.'),
  )
})

test.each([
  ['ERR_MODULE_NOT_FOUND', "Cannot find module '/a.js' imported from /b.js"],
  ['EACCES', 'permission denied'],
])('another error (%s) is not changed', async (code, message) => {
  await expect(loadService('api', fail(code, message))).rejects.toMatchObject({ code, message })
})
