import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertName, changeJson, createFile, insertBefore } from './files.mjs'

/**
 * Creates a publishable package above core, with one exported function, its test and a README.
 *
 * @param {string} folder the repository
 * @param {string} name of its folder below `packages/`
 * @param {string} [description] one sentence for the package registry
 * @param {{ dependencies?: readonly string[], files?: Readonly<Record<string, string>> }} [options]
 * @returns {Promise<string[]>} the changed files
 */
export async function createPackage(folder, name, description = `Latchkey: ${name}.`, options = {}) {
  assertName(name, /^[a-z][a-z-]*[a-z]$/, 'hardware-wallets')
  const { dependencies = ['protocol', 'core'], files = formatSources(name) } = options
  const { version } = JSON.parse(await readFile(join(folder, 'packages/core/package.json'), 'utf8'))
  const base = `packages/${name}`
  const references = dependencies.map((each) => ({ path: `../${each}` }))
  return [
    await createFile(folder, `${base}/package.json`, formatManifest(name, description, version, dependencies)),
    await createFile(
      folder,
      `${base}/tsconfig.json`,
      JSON.stringify({
        extends: '../../tsconfig.base.json',
        compilerOptions: { composite: true, isolatedDeclarations: true, rootDir: 'src', outDir: 'dist' },
        include: ['src'],
        exclude: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
        references,
      }),
    ),
    await createFile(
      folder,
      `${base}/README.md`,
      `# @latchkey/${name}\n\n${description}\n\n\`\`\`sh\nnpm install @latchkey/${name}\n\`\`\`\n`,
    ),
    ...(await Promise.all(
      Object.entries(files).map(([path, text]) => createFile(folder, `${base}/src/${path}`, text)),
    )),
    await changeJson(folder, 'tsconfig.json', (config) => config.references.push({ path: base })),
    await insertBefore(
      folder,
      'scripts/lib/layers.mjs',
      /^ {4}server: \[/m,
      `    'packages/${name}': [${dependencies.map((each) => `'packages/${each}'`).join(', ')}],\n`,
    ),
  ]
}

/**
 * @param {string} name
 * @param {string} description
 * @param {string} version
 * @param {readonly string[]} dependencies
 */
function formatManifest(name, description, version, dependencies) {
  return JSON.stringify({
    name: `@latchkey/${name}`,
    version,
    description,
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.19' },
    files: ['dist', 'src', '!src/**/*.test.*'],
    exports: { '.': { source: './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' } },
    dependencies: Object.fromEntries(dependencies.map((each) => [`@latchkey/${each}`, version])),
  })
}

/**
 * @param {string} name
 * @returns {Record<string, string>}
 */
function formatSources(name) {
  const verb = `describe${name.replace(/(^|-)(\w)/g, (_, dash, letter) => letter.toUpperCase())}`
  return {
    'index.ts': `export { ${verb} } from './${verb}.ts'\nexport { isLatchkeyError } from '@latchkey/protocol'\n`,
    [`${verb}.ts`]: `import { getAccount, type Latchkey } from '@latchkey/core'

/**
 * Returns the status of the active connection. Replace this function by the first one of your package.
 *
 * @param latchkey the instance
 * @example ${verb}(latchkey)
 */
export function ${verb}(latchkey: Latchkey): string {
  return getAccount(latchkey).status
}
`,
    [`${verb}.test.ts`]: `import { createLatchkey } from '@latchkey/core'
import { fakeAdapter } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { ${verb} } from './${verb}.ts'

test('${verb} returns the status of the active connection', () => {
  expect(${verb}(createLatchkey({ adapters: [fakeAdapter()] }))).toBe('disconnected')
})
`,
  }
}
