#include "training/grammar_tables.h"

namespace attn::training {

std::string_view grammar_words() {
  return R"(
S en zh
i 我 one,i
you 你 plural,one,u,ask
he 他 third,one,h,ask
she 她 third,one,s,ask
we 我们 plural,many,w,ask
they 他们 plural,many,t,ask

O en zh
me 我 u,h,s,t,x,give
you 你 i,h,s,w,t,x
him 他 i,u,s,w,t,x,give
her 她 i,u,h,w,t,x,give
us 我们 u,h,s,t,x,give
them 他们 i,u,h,s,w,x,give

D en zh
my 我 one
your 你 one
his 他 one
her 她 one
our 我们 many
their 他们 many

K en zh
mother 妈妈 kin
father 爸爸 kin
brother 哥哥 kin
sister 姐姐 kin
friend 朋友 other
teacher 老师 other

W en zh
the_teacher 老师 third,one,x,ask
the_doctor 医生 third,one,x,ask
the_boy 那个男孩 third,one,x,ask
the_girl 那个女孩 third,one,x,ask
the_students 学生们 plural,many,x,ask
the_children 孩子们 plural,many,x,ask

R one any zh
teacher teachers 老师
doctor doctors 医生
student students 学生
singer - 歌手
engineer - 工程师
farmer - 农民

N one any zh m use
cat cats 猫 只 ~ animal,beast,pet,like,own,move,sight,dear
dog dogs 狗 只 ~ animal,beast,pet,like,own,move,sight,dear
bird birds 鸟 只 ~ animal,beast,like,own,move,sight,dear
rabbit rabbits 兔子 只 ~ animal,beast,pet,like,own,move,sight,dear
horse horses 马 匹 ~ animal,beast,like,own,sight,quick,dear
panda pandas 熊猫 只 ~ animal,like,sight,dear
apple apples 苹果 个 吃 food,fruit,rosy,like,buy,size,dear
banana bananas 香蕉 根 吃 food,fruit,like,buy,dear
egg eggs 鸡蛋 个 吃 food,like,boil,buy,dear
cake cakes 蛋糕 个 吃 food,like,bake,buy,sweet,size,dear
- fish 鱼 - 吃 food,like,stew,mass,dear
- rice 米饭 - 吃 food,like,boil,mass,dear
- noodles 面条 - 吃 food,like,boil,pair,dear
- dumplings 饺子 - 吃 food,like,wrap,pair,dear
- bread 面包 - 吃 food,like,buyable,mass,dear
- tea 茶 - 喝 drink,like,mass,stock,dear
- coffee 咖啡 - 喝 drink,like,mass,stock,dear
- milk 牛奶 - 喝 drink,like,mass,stock,dear
- water 水 - 喝 drink,like,mass,stock,dear
book books 书 本 看 text,topic,like,own,buy,move,thing,lost,gift,dear,size
newspaper newspapers 报纸 份 看 text,buy
letter letters 信 封 ~ text,write,lost
story stories 故事 个 听 hear,write,topic,like,dear
song songs 歌 首 听 sing,hear,write
- music 音乐 - 听 hear,like,dear
movie movies 电影 部 看 film,topic,like,dear
- math 数学 - ~ subject,like
- physics 物理 - ~ subject,like
- history 历史 - ~ subject,like
- machine_learning 机器学习 - ~ subject,like
- chinese 中文 - ~ subject,language,like
- english 英语 - ~ subject,language,like
- football 足球 - 踢 kick,sport,like,dear
- basketball 篮球 - 打 hit,sport,like,dear
- chess 象棋 - 下 board,sport,like,dear
flower flowers 花 朵 ~ rosy,pretty,like,buy,gift,sight,draw,dear
tree trees 树 棵 ~ high,sight,draw
car cars 车 辆 ~ own,buy,sight,thing,quick,draw
bike bikes 自行车 辆 ~ own,buy,sight,thing
house houses 房子 栋 ~ buy,sight,thing,own,pretty,draw,size
phone phones 手机 部 ~ own,buy,move,thing,lost,size
computer computers 电脑 台 ~ own,buy,thing,size
watch watches 手表 块 ~ own,buy,thing,lost,gift,pretty,size
pen pens 笔 支 ~ own,buy,move,thing,lost,gift,size
cup cups 杯子 个 ~ own,buy,move,thing,gift,dirt,size
bag bags 包 个 ~ own,buy,move,thing,lost,dirt,size
hat hats 帽子 顶 ~ own,buy,move,thing,lost,gift,dirt,pretty,size
umbrella umbrellas 雨伞 把 ~ own,buy,move,thing,lost,gift,size
key keys 钥匙 把 ~ own,move,lost
saw saws 锯子 把 ~ own,buy,move,thing,sight,gift,size
chair chairs 椅子 把 ~ own,buy,thing,dirt,size
table tables 桌子 张 ~ own,buy,thing,dirt,size
ball balls 球 个 ~ own,buy,move,thing,sight,gift,dirt,size

V base third ing past zh
eat eats eating ate 吃 food,daily,prog,offer,asked
drink drinks drinking drank 喝 drink,daily,prog,offer,asked
read reads reading - 看 text,daily,prog,asked
write writes writing wrote 写 write,daily,prog,new,asked
watch watches watching watched 看 film,daily,prog,offer,asked,new
learn learns learning learned 学 subject,daily,prog,offer,asked
teach teaches teaching taught 教 subject,daily,skill,asked,prog
play plays playing played 踢 kick,daily,prog,skill,offer,play
play plays playing played 打 hit,daily,prog,skill,offer,play
play plays playing played 下 board,daily,prog,skill,offer,play
sing sings singing sang 唱 sing,daily,prog,offer,skill
draw draws drawing drew 画 animal,draw,daily,prog,skill,new,asked
cook cooks cooking cooked 煮 boil,daily,prog,skill
cook cooks cooking cooked 做 stew,daily,prog,skill
make makes making made 做 bake,daily,prog,skill,new,asked
make makes making made 包 wrap,daily,prog,skill,offer
speak speaks speaking - 说 language,daily,skill
listen_to listens_to listening_to listened_to 听 hear,daily,prog,offer,asked
buy buys buying bought 买 buy,buyable,plenty,new,asked,prog
see - - saw 看见 sight,notice
find - - found 找到 lost,pet,notice
lose - - lost 丢 lost,new
eat - - ate 吃 fruit,bake,new

I base third ing past zh
swim swims swimming swam 游泳 skill,topic,plan,spot,lively
run runs running ran 跑步 topic,plan,spot,lively
dance dances dancing danced 跳舞 skill,topic,plan,spot,lively,indoor
sing sings singing sang 唱歌 skill,topic,plan,spot,lively,indoor
cook cooks cooking cooked 做饭 skill,topic,plan,spot,indoor
draw draws drawing drew 画画 skill,topic,plan,spot,lively,indoor,zoo
sleep sleeps sleeping slept 睡觉 plan
work works working worked 工作 job,plan,spot,calm,indoor,zoo
rest rests resting rested 休息 plan,spot,calm,indoor,lively
cry cries crying cried 哭
go_home goes_home - went_home 回家 plan

J base third zh
love loves 爱 x
like likes 喜欢 x
know knows 认识 x
miss misses 想 x
need needs 需要 x
help helps 帮 x
remember remembers 记得 x

A en zh not attr
happy 开心 不开心 - person,animal,why,state,now
sad 难过 不难过 - person,why,now
tired 累 不累 - person,animal,state,now
hungry 饿 不饿 - person,animal,state,now
busy 忙 不忙 - person,now
angry 生气 不生气 - person,why,now
tall 高 不高 - person,high
smart 聪明 不聪明 聪明的 person,pet,state,look
cold 冷 不冷 - person,now
hot 热 不热 - person,now
cute 可爱 不可爱 可爱的 beast,state,look
big 大 不大 大 beast,size,look
small 小 不小 小 beast,size,look
black - - 黑 beast,look
white - - 白 beast,look
red - - 红 rosy,look
black - - 黑色的 thing,look
white - - 白色的 thing,look
red - - 红色的 thing,look
new 新 不新 新 thing,look
old 旧 不旧 旧 thing,look
old 老 不老 老 beast,look
beautiful 漂亮 不漂亮 漂亮的 pretty,state,look
expensive 贵 不贵 - thing,fruit,state
cheap 便宜 不便宜 - thing,fruit,state
clean 干净 不干净 干净的 dirt,state
dirty 脏 不脏 脏 dirt,state
fast 快 不快 - quick,state
interesting 有意思 没有意思 有意思的 topic,state,look
delicious 好吃 不好吃 好吃的 food
delicious 好喝 不好喝 - drink
sweet 甜 不甜 - fruit,sweet
hot 热 不热 - drink
cold 凉 不凉 - drink

B en zh
often 常常 mood
sometimes 有时候 mood
always 总是 mood
never 从来不
also 也 mood

M en zh
the 那
this 这
that 那

T en zh
two 两
three 三
four 四
five 五
ten 十

Q en zh
on 上 on
under 下面 under
in 里 in
behind 后面 behind
near 旁边 near

L en zh
table 桌子 on,under,near
bed 床 on,under,near
chair 椅子 on,under,behind
box 箱子 in,on,under,behind
car 车 in,under,behind,near
house 房子 in,behind,near
tree 树 under,behind,near
door 门 behind,near
window 窗户 near
bag 包 in
room 房间 in
garden 花园 in

C to at zh in
school at_school 学校 在学校 place,lively
the_park in_the_park 公园 在公园里 town,place,lively
the_library in_the_library 图书馆 在图书馆 town,job,place,calm
the_hospital in_the_hospital 医院 在医院 town,job,place,calm
the_zoo at_the_zoo 动物园 在动物园 town,place,zoo
beijing in_beijing 北京 在北京 city,job
shanghai in_shanghai 上海 在上海 city,job
china in_china 中国 在中国 city,job
- at_home 家 在家 job,place,indoor

F en zh not
fun 好玩 不好玩 subject,play,act
interesting 有意思 没有意思 subject,play,act,hen
difficult 难 不难 subject,play,act,hen
easy 容易 不容易 subject,play,act,hen
important 重要 不重要 subject,hen
useful 有用 没有用 subject,hen
boring 无聊 不无聊 subject,play,act,hen

G en zh
taller 高
older 大
younger 年轻
faster 快

H en zh
cold 冷
hot 热
warm 暖和
cool 凉快

Y en zh
X en zh
)";
}

}  // namespace attn::training
