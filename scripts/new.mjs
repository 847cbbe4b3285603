// npm run new KIND NAME: creates a view, endpoint, adapter, language, error or package and prints the changed files.
import { execFileSync } from 'node:child_process'
import { isMain } from './lib/gate.mjs'
import { root } from './lib/root.mjs'
import { createAdapter } from './new/createAdapter.mjs'
import { createEndpoint } from './new/createEndpoint.mjs'
import { createError } from './new/createError.mjs'
import { createLanguage } from './new/createLanguage.mjs'
import { createPackage } from './new/createPackage.mjs'
import { createView } from './new/createView.mjs'

/**
 * Creates files in a repository and returns the paths of the created and changed files.
 *
 * @typedef {(folder: string, name: string, ...rest: string[]) => Promise<string[]>} Generator
 */

const messages = 'scripts/messages.mjs'
const apiReports = 'scripts/api-reports.mjs'
const architecture = 'scripts/architecture.mjs'

/**
 * `updates` are the scripts that update the generated files afterwards.
 *
 * @type {Record<string, { create: Generator, usage: string, updates: readonly string[] }>}
 */
export const generators = {
  view: { create: createView, usage: 'view account/GiftCard', updates: [messages, apiReports] },
  endpoint: { create: createEndpoint, usage: 'endpoint gasPrices', updates: [] },
  adapter: { create: createAdapter, usage: 'adapter cosmos', updates: [architecture, apiReports] },
  language: { create: createLanguage, usage: 'language pl', updates: [messages, apiReports] },
  error: {
    create: (folder, name, code = '', sentence) => createError(folder, name, code, sentence),
    usage: "error core account/frozen 'The account is frozen. Choose another one.'",
    updates: [apiReports],
  },
  package: {
    create: (folder, name, description) => createPackage(folder, name, description),
    usage: "package ledger 'Latchkey connector for Ledger devices.'",
    updates: [architecture, apiReports],
  },
}

if (isMain(import.meta.url)) {
  const [kind = '', name, ...rest] = process.argv.slice(2)
  const generator = generators[kind]
  if (generator === undefined || name === undefined) {
    console.error(
      `Usage:\n${Object.values(generators)
        .map(({ usage }) => `  npm run new ${usage}`)
        .join('\n')}`,
    )
    process.exit(2)
  }
  try {
    const paths = await generator.create(root, name, ...rest)
    const formatted = paths.filter((path) => /\.(tsx?|mjs|json|md)$/.test(path))
    execFileSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', ...formatted], { cwd: root })
    console.log(paths.join('\n'))
    for (const script of generator.updates) {
      console.log(`Updating generated files: ${script}`)
      execFileSync(process.execPath, [script], { cwd: root, stdio: 'inherit' })
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
