import { assertName, createFile, insertBefore, toPascalCase } from './files.mjs'

const list = 'server/src/api/dataEndpoints.ts'

/**
 * Creates an endpoint of the data service: `GET /v1/<name>`, with its schema, its test and the line that mounts it.
 *
 * @param {string} folder the repository
 * @param {string} name in camelCase
 * @returns {Promise<string[]>} the changed files: three
 */
export async function createEndpoint(folder, name) {
  assertName(name, /^[a-z][A-Za-z]+$/, 'gasPrices')
  const factory = `create${toPascalCase(name)}Endpoint`
  const path = `/v1/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const file = `${name}Endpoint`
  await insertBefore(
    folder,
    list,
    /^import type \{ ApiServices \}/m,
    `import { ${factory} } from './${name}/${file}.ts'\n`,
  )
  return [
    await createFile(folder, `server/src/api/${name}/${file}.ts`, formatEndpoint(factory, path)),
    await createFile(folder, `server/src/api/${name}/${file}.test.ts`, endpointTest(factory, file, path)),
    await insertBefore(folder, list, /^ {4}createSupportedChainsEndpoint/m, `    ${factory}({ chains }),\n`),
  ]
}

/**
 * @param {string} factory
 * @param {string} path
 */
function formatEndpoint(factory, path) {
  return `import { Type } from '@sinclair/typebox'
import type { Chain } from '../../kit/chain/chains.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'

/** \`GET ${path}\`: the chains that the server knows. Replace the response by your own. */
export function ${factory}({ chains }: { chains: readonly Chain[] }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '${path}',
    group: 'Chains',
    summary: 'Describe what it returns.',
    response: Type.Object({ chains: Type.Array(Type.String()) }),
    example: {},
    handle() {
      return { chains: chains.map(({ caipNetworkId }) => caipNetworkId) }
    },
  })
}
`
}

/**
 * @param {string} factory
 * @param {string} file
 * @param {string} path
 */
function endpointTest(factory, file, path) {
  return `import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { ${factory} } from './${file}.ts'

test('GET ${path} returns the chains of the server', async () => {
  const app = Fastify()
  ${factory}({ chains: [] }).mount(app, () => undefined)
  const response = await app.inject('${path}')
  expect(response.json()).toEqual({ chains: [] })
})
`
}
