/**
 * Maps a source to the path of its page. The folders of `docs` keep their shape, so that a link means the same in the
 * repository and in the site.
 *
 * @param source a Markdown file of the repository, or the name of a generated page
 */
export function pathOfSource(source: string): string {
  if (source === 'apps/docs/home.md') return 'index'
  const report = /^packages\/[^/]+\/api\/(.+)\.api\.md$/.exec(source)?.[1]
  if (report !== undefined) return `reference/api/${report}`
  return source
    .replace(/^docs\//, '')
    .replace(/\/README\.md$/, '')
    .replace(/\.md$/, '')
    .toLowerCase()
}
