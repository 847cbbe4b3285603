// The addresses of a running world, for people and for programs.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Prints the table of addresses, and writes them down in one step so that nobody reads half of them.
 *
 * @param {string} file
 * @param {Readonly<Record<string, string>>} urls
 */
export function announce(file, urls) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(urls, null, 2)}\n`)
  renameSync(`${file}.new`, file)
  const names = Object.keys(urls)
  const width = Math.max(...names.map((name) => name.length))
  const rows = names.map((name) => `  ${name.padEnd(width)}  ${urls[name]}`)
  console.log(['', 'Latchkey is ready.', '', ...rows, '', 'Ctrl-C stops all of it.'].join('\n'))
}

/** @param {string} file */
export function forgetUrls(file) {
  rmSync(file, { force: true })
}
