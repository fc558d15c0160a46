/** The line that a site owner pastes; bot ids, tokens and addresses from the settings hold nothing to escape. */
export function embedSnippet(cdnUrl: string, botId: string, embedToken: string): string {
  return `<script src="${cdnUrl}/widget.js" data-bot-id="${botId}" data-token="${embedToken}" async></script>`;
}
