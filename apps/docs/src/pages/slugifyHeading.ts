/**
 * The anchor of a heading by GitHub's rule, so that anchors are the same in the repository and in the site.
 *
 * @example slugifyHeading('wagmi/modal-missing') // 'wagmimodal-missing'
 */
export function slugifyHeading(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
}
