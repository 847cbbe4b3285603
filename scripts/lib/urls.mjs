// Publishes the addresses of a running world for people and programs.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Prints the table of addresses and writes them to a file atomically, so that readers never see half of it.
 *
 * @param {string} file
 * @param {Readonly<Record<string, string | undefined>>} urls
 * @param {readonly string[]} [missing] a sentence for each missing part
 */
export function announce(file, urls, missing = []) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(urls, null, 2)}\n`)
  renameSync(`${file}.new`, file)
  const names = Object.keys(urls).filter((name) => urls[name] !== undefined)
  const width = Math.max(...names.map((name) => name.length))
  const rows = names.map((name) => `  ${name.padEnd(width)}  ${urls[name]}`)
  const notes = missing.length === 0 ? [] : ['', ...missing]
  console.log(['', 'Latchkey is ready.', '', ...rows, ...notes, '', 'Press Ctrl-C to stop everything.'].join('\n'))
}

/** @param {string} file */
export function forgetUrls(file) {
  rmSync(file, { force: true })
}
