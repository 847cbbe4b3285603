import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Finding } from './finding.ts'

const sourceFile = /\.([cm]?[jt]sx?|vue|svelte)$/
const ignored = new Set(['node_modules', 'dist', 'build', '.next', '.git', '.output', '.svelte-kit'])

/** Finds calls of connectors without the options that they need, and empty variables of the environment. */
export function findMissingOptions(folder: string): readonly Finding[] {
  const findings = listFiles(folder).flatMap((path) =>
    sourceFile.test(path) ? checkSource(readFileSync(path, 'utf8'), relative(folder, path)) : [],
  )
  const variables = ['.env', '.env.local'].flatMap((name) =>
    existsSync(join(folder, name)) ? checkVariables(readFileSync(join(folder, name), 'utf8'), name) : [],
  )
  return [...findings, ...variables]
}

/** The options that `walletConnect` and `embedded` require. */
const required = {
  walletConnect: { options: ['relayUrl', 'projectId'], package: '@latchkey/walletconnect' },
  embedded: { options: ['frame'], package: '@latchkey/embedded' },
}

function checkSource(text: string, path: string): readonly Finding[] {
  return Object.entries(required).flatMap(([name, { options, package: source }]) => {
    if (!text.includes(source)) return []
    return [...text.matchAll(new RegExp(`\\b${name}\\(\\s*\\{([^}]*)`, 'g'))].flatMap(([, written = '']) =>
      options
        // Options may come from another object.
        .filter((option) => !written.includes('...') && !new RegExp(`\\b${option}\\b`).test(written))
        .map((option): Finding => ({
          severity: 'problem',
          text: `${path}: ${name}() has no ${option}.`,
          advice: adviceOf(option),
        })),
    )
  })
}

function adviceOf(option: string): string {
  if (option === 'projectId') return 'Pass the project id that the operator of your server gave you.'
  if (option === 'frame') return "Pass the URL of the embedded wallet's frame."
  return 'Pass the WebSocket address of your relay, such as wss://relay.example.org/relay.'
}

function checkVariables(text: string, path: string): readonly Finding[] {
  return [...text.matchAll(/^(\w*LATCHKEY\w*)=[ \t]*(?:#.*)?$/gm)].map(([, name]): Finding => ({
    severity: 'warning',
    text: `${path}: ${name} is empty.`,
    advice: 'Set it, or remove the line if the app does not use the service.',
  }))
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (ignored.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : [path]
  })
}
