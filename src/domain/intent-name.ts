/** An intent's name in words, as a classifier learns it and a visitor may read it: `orders.delivery_status` is "orders delivery status". */
export function intentNameInWords(name: string): string {
  return name.replaceAll(/[_\-./]+/g, " ").replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
}
